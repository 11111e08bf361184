//! Covers by sets, found by trying every selection of them.

/// Returns every selection of this many out of the first numbers, or of all if there are fewer.
pub(super) fn selections(of: usize, size: usize) -> Vec<Vec<usize>> {
    if size == 0 || of == 0 {
        return vec![Vec::new()];
    }
    if size >= of {
        return vec![(0..of).collect()];
    }
    let with_last = selections(of - 1, size - 1).into_iter().map(|mut selection| {
        selection.push(of - 1);
        selection
    });
    with_last.chain(selections(of - 1, size)).collect()
}

/// Whether no l − 1 of the sets together hold all of the values; a cover by fewer sets is also
/// one by more, so that fewer need not be tried.
pub(super) fn needs_at_least(l: usize, sets: &[Vec<&str>], values: &[&str]) -> bool {
    let held_by = |selection: &[usize]| {
        values.iter().all(|value| selection.iter().any(|&set| sets[set].contains(value)))
    };
    let all: Vec<usize> = (0..sets.len()).collect();
    assert!(held_by(&all), "a value of {values:?} is in no set of {sets:?}");
    l == 0 || !selections(sets.len(), l - 1).iter().any(|selection| held_by(selection))
}

#[cfg(test)]
mod tests {
    use super::selections;

    #[test]
    fn every_selection_is_tried_once() {
        assert_eq!(selections(3, 2), [vec![1, 2], vec![0, 2], vec![0, 1]]);
        assert_eq!(selections(3, 0), [Vec::<usize>::new()]);
        assert_eq!(selections(2, 5), [vec![0, 1]]);
        let mut many = selections(12, 5);
        many.sort();
        many.dedup();
        assert_eq!(many.len(), 792);
    }
}
