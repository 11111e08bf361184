//! A recoding applied to the base groups of a cube: which records are published alike, with which
//! labels, at which loss.

use std::sync::Arc;

use haggle_model::{
    Error, ErrorKind, Level, QuasiIdentifier, Recoder, Recoding, Region, Regions, Scheme, Share,
    Span, is_unmatched,
};
use rustc_hash::FxHashMap;

use crate::groups::payload::{CodeMeaning, Generalized, KeptGroups, Loss, MeanLevels};
use crate::recoded::base::{Base, Merger};
use crate::{Group, rounded};

/// The part of every base group, and the published regions of every part. No two parts have the
/// same regions.
#[derive(Debug, Clone)]
pub struct Applied {
    regions: Arc<[Vec<Region>]>,
    /// The published codes of each part, concatenated.
    codes: Vec<u32>,
    /// The base groups, ordered by part.
    rows: Vec<u32>,
    /// Where the rows of each part end.
    ends: Vec<usize>,
    /// How each attribute is recoded, if each is recoded on its own.
    maps: Option<Vec<Vec<u32>>>,
}

impl Applied {
    /// Each attribute on its own: its regions, which must cover its values and not overlap.
    ///
    /// ```
    /// use haggle_cube::{Applied, Base, Counter, Cube, CountedPart};
    /// use haggle_model::{Hierarchy, QuasiIdentifier, Region};
    ///
    /// let hierarchy = Hierarchy::from_paths("age", [["37", "30-39"], ["38", "30-39"], ["41", "40-49"]])?;
    /// let cut = vec![Region::new(&hierarchy, 0..2), Region::new(&hierarchy, 2..3)];
    /// let age = QuasiIdentifier { name: "age".into(), hierarchy };
    /// let mut counter = Counter::new(1, 0);
    /// [0, 0, 1, 2].iter().for_each(|&code| counter.add(&[code]));
    /// let cube = Cube::from_parts(vec![age], Vec::new(), &[CountedPart { counter, recode: vec![vec![0, 1, 2]] }]);
    ///
    /// let base = Base::of(&cube);
    /// let applied = Applied::cuts(cube.attributes(), &base, vec![cut]);
    /// let mut sizes = Vec::new();
    /// applied.for_each_group(&base, 0, |part, group| sizes.push((applied.labels(part)[0].to_owned(), group.records)));
    /// assert_eq!(sizes, [("30-39".into(), 3), ("41".into(), 1)]);
    /// # Ok::<(), haggle_model::Error>(())
    /// ```
    pub fn cuts(attributes: &[QuasiIdentifier], base: &Base, cuts: Vec<Vec<Region>>) -> Self {
        let map = |(attribute, cut): (&QuasiIdentifier, &Vec<Region>)| {
            let mut map = vec![0; attribute.hierarchy.len(Level::RECORDED)];
            for (code, region) in cut.iter().enumerate() {
                map[region.leaves.start as usize..region.leaves.end as usize].fill(code as u32);
            }
            map
        };
        let maps: Vec<Vec<u32>> = attributes.iter().zip(&cuts).map(map).collect();
        let apart = |(attribute, cut): (&QuasiIdentifier, Vec<Region>)| {
            let mut regions = Regions::default();
            for region in &cut {
                regions.code(region, &attribute.hierarchy);
            }
            regions.with_distinct_labels(&attribute.hierarchy)
        };
        let regions = attributes.iter().zip(cuts).map(apart).collect();
        Self::by_value(base, regions, maps)
    }

    /// Every attribute at its level.
    pub fn levels(attributes: &[QuasiIdentifier], base: &Base, scheme: &Scheme) -> Self {
        let with_levels = || attributes.iter().zip(scheme.levels());
        let nodes = |(a, &level): (&QuasiIdentifier, &Level)| -> Vec<Region> {
            let codes = 0..a.hierarchy.len(level) as u32;
            codes.map(|code| Region::node(&a.hierarchy, code, level)).collect()
        };
        let maps = with_levels().map(|(a, &level)| a.hierarchy.ancestors(level).to_vec());
        Self::by_value(base, with_levels().map(nodes).collect(), maps.collect())
    }

    fn by_value(base: &Base, regions: Arc<[Vec<Region>]>, maps: Vec<Vec<u32>>) -> Self {
        let mut published = Vec::with_capacity(base.len() * base.attributes());
        for row in 0..base.len() {
            let codes = base.codes(row).iter().zip(&maps);
            published.extend(codes.map(|(&code, map)| map[code as usize]));
        }
        Self::grouped(regions, base, &published, Some(maps))
    }

    /// Gives each base group its own region in each attribute: `sides` returns the regions of a
    /// base group by its position.
    pub fn boxes<'r>(
        attributes: &[QuasiIdentifier],
        base: &Base,
        mut sides: impl FnMut(usize) -> &'r [Region],
    ) -> Self {
        let mut regions: Vec<Regions> = vec![Regions::default(); attributes.len()];
        let mut published = Vec::with_capacity(base.len() * base.attributes());
        for row in 0..base.len() {
            let sides = sides(row).iter().zip(&mut regions).zip(attributes);
            published.extend(sides.map(|((side, regions), a)| regions.code(side, &a.hierarchy)));
        }
        let apart =
            |(a, regions): (&QuasiIdentifier, Regions)| regions.with_distinct_labels(&a.hierarchy);
        let regions = attributes.iter().zip(regions).map(apart).collect();
        Self::grouped(regions, base, &published, None)
    }

    /// Applies a recoding that depends only on the hierarchies: levels, cuts, boxes or kept cells.
    /// Each record takes the first box or pattern that contains it; a record in none is fully
    /// generalized. Fails if a value of the recoding does not exist here, and for levels by part.
    pub fn new(
        attributes: &[QuasiIdentifier],
        base: &Base,
        recoding: &Recoding,
    ) -> Result<Self, Error> {
        // A box without values in one attribute contains no records.
        let resolve = |spans: &Vec<Span>| -> Result<Option<Vec<Region>>, Error> {
            let sides = spans.iter().zip(attributes);
            sides.map(|(span, attribute)| span.region(attribute)).collect()
        };
        match recoding {
            Recoding::Levels { scheme } => Ok(Self::levels(attributes, base, scheme)),
            Recoding::Cuts { cuts } => {
                let cut =
                    |(spans, attribute): (&Vec<Span>, &QuasiIdentifier)| covering(spans, attribute);
                let cuts: Result<Vec<_>, Error> = cuts.iter().zip(attributes).map(cut).collect();
                Ok(Self::cuts(attributes, base, cuts?))
            }
            Recoding::Boxes { boxes, .. } | Recoding::Cells { patterns: boxes } => {
                let boxes: Vec<Option<Vec<Region>>> =
                    boxes.iter().map(resolve).collect::<Result<_, _>>()?;
                let boxes: Vec<Vec<Region>> = boxes.into_iter().flatten().collect();
                let anything: Vec<Region> =
                    attributes.iter().map(|a| Region::whole(&a.hierarchy)).collect();
                let holds = |sides: &&Vec<Region>, row: usize| {
                    let codes = base.codes(row).iter().zip(*sides);
                    codes.into_iter().all(|(code, side)| side.leaves.contains(code))
                };
                Ok(Self::boxes(attributes, base, |row| {
                    boxes.iter().find(|sides| holds(sides, row)).unwrap_or(&anything)
                }))
            }
            Recoding::Parts { .. } => {
                let what = "levels by part can only be applied by refining, which needs the requested privacy";
                Err(haggle_model::Problems::from(haggle_model::Problem::new(what)).into())
            }
        }
    }

    /// Sorts base groups by their published regions.
    fn grouped(
        regions: Arc<[Vec<Region>]>,
        base: &Base,
        published: &[u32],
        maps: Option<Vec<Vec<u32>>>,
    ) -> Self {
        let width = base.attributes();
        let codes_of = |row: u32| &published[row as usize * width..][..width];
        let mut rows: Vec<u32> = (0..base.len() as u32).collect();
        rows.sort_by(|&a, &b| codes_of(a).cmp(codes_of(b)));
        let (mut codes, mut ends) = (Vec::new(), Vec::new());
        for part in rows.chunk_by(|&a, &b| codes_of(a) == codes_of(b)) {
            codes.extend_from_slice(codes_of(part[0]));
            ends.push(ends.last().copied().unwrap_or(0) + part.len());
        }
        Self { regions, codes, rows, ends, maps }
    }

    /// Returns the number of parts.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns whether there are no parts, because nothing was counted.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Returns roughly how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let maps = self.maps.iter().flatten().map(Vec::len).sum::<usize>();
        let regions = self.regions.iter().map(Vec::len).sum::<usize>();
        (self.codes.len() + self.rows.len() + maps) * size_of::<u32>()
            + self.ends.len() * size_of::<usize>()
            + regions * size_of::<Region>()
    }

    /// Returns whether each attribute is recoded on its own, so that no two parts overlap.
    pub fn is_by_value(&self) -> bool {
        self.maps.is_some()
    }

    /// The regions of each attribute, by published code.
    pub fn regions(&self) -> &Arc<[Vec<Region>]> {
        &self.regions
    }

    /// The published codes of a part.
    pub fn codes(&self, part: usize) -> &[u32] {
        let width = self.regions.len();
        &self.codes[part * width..][..width]
    }

    /// Returns the published labels of a part.
    pub fn labels(&self, part: usize) -> Vec<&str> {
        self.sides(part).map(|region| &*region.label).collect()
    }

    fn sides(&self, part: usize) -> impl Iterator<Item = &Region> {
        let codes = self.codes(part).iter().zip(&*self.regions);
        codes.map(|(&code, regions)| &regions[code as usize])
    }

    /// Returns whether every attribute of a part is fully generalized.
    pub fn is_fully_generalized(&self, part: usize, attributes: &[QuasiIdentifier]) -> bool {
        self.sides(part).zip(attributes).all(|(side, a)| side.is_whole(&a.hierarchy))
    }

    /// The base groups of a part.
    pub fn rows(&self, part: usize) -> &[u32] {
        let start = if part == 0 { 0 } else { self.ends[part - 1] };
        &self.rows[start..self.ends[part]]
    }

    /// Calls `visit` with every part as a group, with the counts of one watched attribute's values.
    pub fn for_each_group(
        &self,
        base: &Base,
        watched: usize,
        mut visit: impl FnMut(usize, &Group<'_>),
    ) {
        let mut merger = base.merger(watched);
        for part in 0..self.len() {
            visit(part, &merger.merge(self.rows(part).iter().copied()));
        }
    }

    /// The recoder of every record that was counted.
    pub fn recoder<'a>(&self, attributes: &'a [QuasiIdentifier], base: &Base) -> Recoder<'a> {
        let regions = self.regions.clone();
        if let Some(maps) = &self.maps {
            return Recoder::by_value(attributes, regions, maps.clone());
        }
        if base.is_split() {
            return Recoder::by_share(attributes, regions, self.shares(base));
        }
        let mut combinations = FxHashMap::default();
        for part in 0..self.len() {
            for &row in self.rows(part) {
                combinations.insert(base.codes(row as usize).into(), self.codes(part).into());
            }
        }
        Recoder::by_combination(attributes, regions, combinations)
    }

    /// Returns how many records of each recorded combination are published as what.
    fn shares(&self, base: &Base) -> FxHashMap<Box<[u32]>, Vec<Share>> {
        let mut shares: FxHashMap<Box<[u32]>, Vec<Share>> = FxHashMap::default();
        for part in 0..self.len() {
            let published: Box<[u32]> = self.codes(part).into();
            for row in self.rows(part).iter().map(|&row| row as usize) {
                let list = shares.entry(base.codes(row).into()).or_default();
                let counted = base.values(row, 0).iter();
                let counted = counted.map(|value| (Some(value.code), value.count));
                let without = base.records(row) - counted.clone().map(|(_, n)| n).sum::<u64>();
                for (value, records) in counted.chain([(None, without)]).filter(|(_, n)| *n > 0) {
                    list.push(Share { value, records, published: published.clone() });
                }
            }
        }
        shares
    }

    /// Returns the distinct boxes as spans.
    pub fn spans(&self, attributes: &[QuasiIdentifier]) -> Vec<Vec<Span>> {
        let sides = |part: usize| {
            let sides = self.sides(part).zip(attributes);
            sides.map(|(side, a)| Span::new(side, &a.hierarchy)).collect()
        };
        (0..self.len()).map(sides).collect()
    }

    /// Returns the cut of each attribute as spans.
    pub fn cut_spans(&self, attributes: &[QuasiIdentifier]) -> Vec<Vec<Span>> {
        let cut = |(regions, a): (&Vec<Region>, &QuasiIdentifier)| {
            regions.iter().map(|region| Span::new(region, &a.hierarchy)).collect()
        };
        self.regions.iter().zip(attributes).map(cut).collect()
    }

    /// Returns the loss if only the parts that are `kept` are published, and its standard error if
    /// it is an estimate.
    pub fn loss(
        &self,
        base: &Base,
        bottom: &Scheme,
        loss: &dyn Loss,
        kept: impl Fn(usize) -> bool,
    ) -> (f64, Option<f64>) {
        let part = |part: usize| (self.codes(part), self.rows(part), kept(part));
        weigh(&self.regions, base, bottom, loss, (0..self.len()).map(part))
    }
}

/// Computes the loss from groups: each with the codes of its regions, its base groups, and whether
/// it is kept.
pub fn weigh<'g>(
    regions: &[Vec<Region>],
    base: &Base,
    bottom: &Scheme,
    loss: &dyn Loss,
    groups: impl Iterator<Item = (&'g [u32], &'g [u32], bool)>,
) -> (f64, Option<f64>) {
    let mut weighing = Weighing::new(base, bottom, loss);
    for (codes, rows, kept) in groups {
        weighing.add(regions, codes, rows, kept);
    }
    weighing.loss()
}

/// Returns the regions of a cut, which must cover all values of the attribute. Missing values that
/// match nothing are named by their place in the table that the cut is of; here, each that is not
/// below the whole is a region of its own.
fn covering(spans: &[Span], attribute: &QuasiIdentifier) -> Result<Vec<Region>, Error> {
    let matched = spans.iter().filter(|span| !is_unmatched(&span.label));
    let cut: Vec<Option<Region>> =
        matched.map(|span| span.region(attribute)).collect::<Result<_, Error>>()?;
    let mut cut: Vec<Region> = cut.into_iter().flatten().collect();
    let (hierarchy, recorded) = (&attribute.hierarchy, Level::RECORDED);
    let end = cut.iter().map(|region| region.leaves.end).max().unwrap_or(0);
    let apart = end.max(hierarchy.matched(recorded) as u32)..hierarchy.len(recorded) as u32;
    cut.extend(apart.map(|code| Region::node(hierarchy, code, recorded)));
    cut.sort_by_key(|region| region.leaves.start);
    let ends = cut.iter().map(|region| region.leaves.end);
    let all = hierarchy.len(recorded) as u32;
    let next = [0].into_iter().chain(ends).collect::<Vec<_>>();
    let starts = cut.iter().map(|region| region.leaves.start);
    if starts.chain([all]).ne(next) {
        let what =
            format!("the cut does not cover every value of '{}' exactly once", attribute.name);
        let fix = "use the hierarchy of the first publication";
        return Err(Error::of_kind(ErrorKind::DataChanged, what, fix));
    }
    Ok(cut)
}

/// A measure's sums over the groups that are kept, group by group.
#[derive(Debug, Clone)]
pub struct Weighing<'a> {
    base: &'a Base,
    bottom: &'a Scheme,
    loss: &'a dyn Loss,
    merger: Merger<'a>,
    sums: Vec<f64>,
    numbers: Vec<f64>,
    groups: u64,
    records: u64,
    suppressed: u64,
    /// Of the records kept, and of all.
    kept: MeanLevels,
    all: MeanLevels,
}

impl<'a> Weighing<'a> {
    /// Starts with no group. `bottom` is the scheme of the base groups.
    pub fn new(base: &'a Base, bottom: &'a Scheme, loss: &'a dyn Loss) -> Self {
        let mean = MeanLevels::new(base.attributes());
        Self {
            base,
            bottom,
            loss,
            merger: base.merger(loss.watches().unwrap_or(0)),
            sums: vec![0.0; loss.width()],
            numbers: vec![0.0; loss.width()],
            groups: 0,
            records: 0,
            suppressed: 0,
            kept: mean.clone(),
            all: mean,
        }
    }

    /// Adds a group: the codes of its regions, its base groups, and whether it is kept.
    pub fn add(&mut self, regions: &[Vec<Region>], codes: &[u32], rows: &[u32], kept: bool) {
        let levels = || {
            let sides = codes.iter().zip(regions);
            sides.map(|(&code, regions)| regions[code as usize].level)
        };
        let carried = self.carried(rows);
        let group = self.merger.merge(rows.iter().copied());
        self.all.add(levels(), group.records);
        if !kept {
            self.suppressed += group.records;
            return;
        }
        self.kept.add(levels(), group.records);
        (self.groups, self.records) = (self.groups + 1, self.records + group.records);
        let place = CodeMeaning::Regions { regions, rows };
        let (records, values) = (group.records, group.values);
        let group = Generalized { place, codes, records, values, carried };
        self.loss.measure(&group, &mut self.numbers);
        self.sums.iter_mut().zip(&self.numbers).for_each(|(sum, number)| *sum += number);
    }

    /// Adds suppressed records.
    pub fn suppress(&mut self, records: u64) {
        self.suppressed += records;
    }

    /// Sums what the measure carries over some base groups.
    fn carried(&self, rows: &[u32]) -> [f64; 3] {
        let mut carried = [0.0; 3];
        if !self.loss.carries() {
            return carried;
        }
        let watched = self.loss.watches().unwrap_or(0);
        for row in rows.iter().map(|&row| row as usize) {
            let one = self.loss.carried(&Generalized {
                place: CodeMeaning::Scheme(self.bottom),
                codes: self.base.codes(row),
                records: self.base.records(row),
                values: self.base.values(row, watched),
                carried: [0.0; 3],
            });
            carried.iter_mut().zip(one).for_each(|(sum, number)| *sum += number);
        }
        carried
    }

    /// The loss, and its standard error if it is an estimate.
    pub fn loss(&self) -> (f64, Option<f64>) {
        let levels = if self.records == 0 { &self.all } else { &self.kept };
        let kept = KeptGroups {
            levels: levels.into(),
            sums: &self.sums,
            groups: self.groups,
            records: self.records,
            suppressed: self.suppressed,
        };
        (self.loss.compared(&kept), self.loss.standard_error(&kept).map(rounded))
    }
}
