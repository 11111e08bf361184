// Generated from openapi.json by `npm run types`. Do not edit.

export interface components {
    schemas: {
        About: {
            loss?: string | null;
            scheme?: number[] | null;
        };
        Account: {
            /** Format: int64 */
            counted: number;
            /** Format: int64 */
            dropped: number;
            /** Format: int64 */
            published?: number | null;
            /** Format: int64 */
            read: number;
            /** Format: int64 */
            suppressed?: number | null;
        };
        AccountFields: {
            account: components["schemas"]["Account"];
            /** Format: int64 */
            dropped: number;
            /** Format: int64 */
            read: number;
            /** Format: int64 */
            suppressed: number;
        };
        Address: {
            address: string;
        };
        Against: {
            loss?: string | null;
            suppression?: boolean;
        };
        Also: {
            loss?: string | null;
        };
        Answer: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            exact?: components["schemas"]["Offer"] | null;
            /** Format: int64 */
            micros: number;
            obtained?: components["schemas"]["Obtained"] | null;
            outcome: components["schemas"]["Outcome"];
            relaxations?: components["schemas"]["Offers"] | null;
            runners_up?: components["schemas"]["Offer"][];
            /** Format: int64 */
            visited: number;
        };
        AppliedInShort: {
            kind: string;
            scheme?: number[] | null;
        };
        Ask: {
            levels?: number[] | {
                [key: string]: number;
            };
            max_suppressed?: number | string;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | {
                    [key: string]: number | string;
                };
            } | string;
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            top?: number;
        };
        Asked_About: components["schemas"]["Ask"] & {
            loss?: string | null;
            scheme?: number[] | null;
        } & {
            qi?: string[] | null;
        };
        Asked_Against: components["schemas"]["Ask"] & {
            loss?: string | null;
            suppression?: boolean;
        } & {
            qi?: string[] | null;
        };
        Asked_Also: components["schemas"]["Ask"] & {
            loss?: string | null;
        } & {
            qi?: string[] | null;
        };
        Asked_Contenders: components["schemas"]["Ask"] & {
            measures?: string[] | null;
            strategies?: string[] | null;
        } & {
            qi?: string[] | null;
        };
        Asked_Counted: components["schemas"]["Ask"] & {
            scheme: number[];
        } & {
            qi?: string[] | null;
        };
        Asked_Drawn: components["schemas"]["Ask"] & {
            loss?: string | null;
            scheme?: number[] | null;
            suppression?: boolean;
        } & {
            qi?: string[] | null;
        };
        Asked_How: components["schemas"]["Ask"] & {
            as_recorded?: string[] | null;
            flag?: string | null;
            format?: components["schemas"]["Format"];
            keep_order?: boolean;
            output?: string | null;
            refine?: boolean;
            result?: string | null;
            scheme?: number[] | null;
            shuffle?: boolean | null;
            spreadsheet_safe?: boolean;
            strategy?: string | null;
            suppress?: components["schemas"]["Failing"];
        } & {
            qi?: string[] | null;
        };
        Asked_InstantLimits: components["schemas"]["Ask"] & {
            max_scans?: number | null;
        } & {
            qi?: string[] | null;
        };
        Asked_Nothing: components["schemas"]["Ask"] & Record<string, never> & {
            qi?: string[] | null;
        };
        Asked_Shown: components["schemas"]["Ask"] & {
            as_recorded?: string[] | null;
            refine?: boolean;
            result?: string | null;
            rows?: number | null;
            scheme?: number[] | null;
            strategy?: string | null;
            suppress?: components["schemas"]["Failing"];
        } & {
            qi?: string[] | null;
        };
        Asked_Which: components["schemas"]["Ask"] & {
            scheme: number[];
        } & {
            qi?: string[] | null;
        };
        AttributeCost: {
            attribute: string;
            /** Format: int32 */
            level: number;
            /** Format: double */
            loss: number;
            /** Format: int64 */
            suppressed_without: number;
        };
        AttributeOffer: components["schemas"]["Offer"] & {
            attribute: string;
        };
        AttributeOverview: {
            /** Format: int32 */
            levels?: number | null;
            name: string;
            qi: boolean;
            role: string;
        };
        Branch: {
            below?: components["schemas"]["Branch"][];
            label: string;
            /** Format: int32 */
            level: number;
            /** Format: int64 */
            records: number;
        };
        BuildEnded: {
            done: components["schemas"]["LatticeOverview"];
        } | {
            error: components["schemas"]["Problems"];
        };
        Built: {
            /** Format: int64 */
            annotate_millis: number;
            base_groups: number;
            /** Format: int64 */
            millis: number;
            partial?: components["schemas"]["PartialKnown"] | null;
            /** Format: int64 */
            records: number;
            /** Format: int64 */
            scan_millis: number;
            schemes: number;
            /** Format: int64 */
            touches: number;
        };
        Change: {
            attribute: string;
            /** Format: int32 */
            level: number;
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
        };
        ColumnAccount: {
            as_recorded: boolean;
            /** Format: int64 */
            below_k: number;
            estimated?: boolean;
            explanation?: string | null;
            listed: boolean;
            name: string;
            reason?: components["schemas"]["DropReason"] | null;
            role: string;
            treatment: components["schemas"]["Treatment"];
            /** Format: int64 */
            unique: number;
        };
        ColumnPlan: {
            columns: components["schemas"]["ColumnAccount"][];
            /** Format: int64 */
            k: number;
            /** Format: int64 */
            max_below_k: number;
            notes: string[];
            /** Format: int64 */
            records: number;
        };
        ColumnView: {
            /** Format: int64 */
            distinct: number;
            distribution: components["schemas"]["ValueRecords"][];
            hierarchy: boolean;
            /** Format: int64 */
            missing: number;
            name: string;
            role: string;
        };
        Columns: {
            attributes: components["schemas"]["ColumnView"][];
            /** Format: int64 */
            records: number;
        };
        CompareEnded: {
            done: components["schemas"]["Comparison"];
        } | {
            error: components["schemas"]["Problems"];
        };
        ComparedStrategy: {
            /** Format: int64 */
            evaluated: number;
            found?: string | null;
            /** Format: int64 */
            groups?: number | null;
            loss: {
                [key: string]: number;
            };
            /** Format: int64 */
            micros: number;
            note?: string | null;
            proven: boolean;
            reason?: string | null;
            recoding: string;
            result?: string | null;
            /** Format: int64 */
            scans?: number | null;
            strategy: string;
            /** Format: int64 */
            suppressed?: number | null;
            title: string;
            verified: boolean;
        };
        Comparison: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            /** Format: int64 */
            limit: number;
            measures: string[];
            /** Format: int64 */
            records: number;
            strategies: components["schemas"]["ComparedStrategy"][];
        };
        Contenders: {
            measures?: string[] | null;
            strategies?: string[] | null;
        };
        Counted: {
            scheme: number[];
        };
        Drawn: {
            loss?: string | null;
            scheme?: number[] | null;
            suppression?: boolean;
        };
        /** @enum {string} */
        DropReason: "identifier" | "person" | "not-negotiated" | "named-like-identifier" | "nearly-unique" | "nearly-unique-together" | "shadow" | "unreadable";
        EarlierPublication: {
            output: string;
            promises: string[];
            quasi_identifiers: string[];
            recoding: components["schemas"]["AppliedInShort"];
            /** Format: int64 */
            records: number;
            sha256?: string | null;
            time: string;
            unchanged: string[];
            /** Format: int32 */
            version: number;
        };
        ErrorBody: {
            error: components["schemas"]["Problems"];
        };
        ExampleRow: {
            after: string[];
            before: string[];
        };
        /** @enum {string} */
        Failing: "drop" | "star";
        Firm: {
            loss: {
                [key: string]: number;
            };
            /** Format: int64 */
            records: number;
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
        } & {
            [key: string]: number;
        };
        /** @enum {string} */
        Format: "csv" | "parquet";
        Front: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            /** Format: int64 */
            limit: number;
            loss: string;
            model: string;
            parameter: string;
            points: components["schemas"]["FrontPoint"][];
        };
        FrontPoint: {
            /** Format: int32 */
            height: number;
            knee: boolean;
            /** Format: double */
            loss: number;
            /** Format: double */
            loss_error?: number | null;
            /** Format: double */
            price?: number | null;
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
            /** Format: double */
            threshold: number;
        };
        HeightStudy: {
            /** Format: int32 */
            height: number;
            /** Format: int64 */
            least: number;
            /** Format: double */
            mean: number;
            /** Format: int64 */
            most: number;
            /** Format: int64 */
            schemes: number;
        };
        HierarchyView: {
            attribute: string;
            levels: number[];
            source: string;
            tree: components["schemas"]["Branch"];
        };
        HistogramBin: {
            /** Format: int64 */
            groups: number;
            /** Format: int64 */
            records: number;
            /** Format: double */
            value?: number | null;
            /** Format: int64 */
            weaker: number;
        };
        How: {
            as_recorded?: string[] | null;
            flag?: string | null;
            format?: components["schemas"]["Format"];
            keep_order?: boolean;
            output?: string | null;
            refine?: boolean;
            result?: string | null;
            scheme?: number[] | null;
            shuffle?: boolean | null;
            spreadsheet_safe?: boolean;
            strategy?: string | null;
            suppress?: components["schemas"]["Failing"];
        };
        InstantAnswer: {
            account?: components["schemas"]["Account"] | null;
            asked: components["schemas"]["Ask"];
            attained?: components["schemas"]["Firm"] | null;
            levels: {
                [key: string]: number;
            };
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            micros: number;
            optimum?: components["schemas"]["Optimum"] | null;
            plan: components["schemas"]["InstantPlan"];
            /** Format: int64 */
            plan_micros: number;
            predicted?: components["schemas"]["Predicted"] | null;
            /** Format: int64 */
            scans: number;
            scheme?: number[] | null;
            summary: components["schemas"]["SummaryReport"];
            trials: components["schemas"]["Firm"][];
        };
        InstantLimits: {
            max_scans?: number | null;
        };
        InstantPlan: {
            best?: components["schemas"]["PredictedScheme"][];
            candidates: number;
            predicted: number;
            pruning: string;
            schemes: number;
            too_many_cells: number;
        };
        InstantPrediction: {
            best?: components["schemas"]["PredictedScheme"] | null;
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            micros: number;
            plan: components["schemas"]["InstantPlan"];
            summary: components["schemas"]["SummaryReport"];
            suppressed: (number | null)[];
        };
        Kind: {
            attribute: string;
            /** Format: int64 */
            records: number;
            /** Format: int64 */
            suppressed: number;
            value: string;
        };
        LatticeOverview: {
            attributes: components["schemas"]["LevelsOverview"][];
            base_groups: number;
            built: components["schemas"]["Built"];
            notice?: string | null;
            qi: string[];
            /** Format: int64 */
            records: number;
            schemes: number;
            unaskable: {
                [key: string]: string;
            };
        };
        LevelOverview: {
            examples: string[];
            /** Format: int32 */
            level: number;
            values: number;
        };
        LevelsOverview: {
            levels: components["schemas"]["LevelOverview"][];
            name: string;
            /** Format: int32 */
            top: number;
        };
        Measure: {
            additive: boolean;
            citation: string;
            definition: string;
            estimate: boolean;
            example: string;
            formula: string;
            id: string;
            monotone: boolean;
            range: string;
            suppressed: string;
            suppressing_costs: boolean;
            title: string;
            watches: boolean;
            weighted: boolean;
        };
        Model: {
            choices?: {
                meaning: string;
                name: string;
                options: string[];
            }[];
            citation?: string;
            counts_records?: boolean;
            definition: string;
            example?: string;
            formula: string;
            id: string;
            kind: string;
            parameters: {
                above?: number;
                below?: number;
                maximum?: number;
                meaning: string;
                minimum?: number;
                name: string;
                negotiated: boolean;
                optional: boolean;
                usual: number;
                whole: boolean;
            }[];
            published_level?: string | null;
            reference?: boolean;
            sensitive: boolean;
            states?: string[];
            stored?: boolean;
            title: string;
            uses?: string[];
        };
        Nothing: Record<string, never>;
        Obtained: {
            /** Format: int64 */
            annotated: number;
            impossible?: boolean;
            /** Format: double */
            no_loss_below?: number | null;
            /** Format: int32 */
            none_below?: number | null;
            partial?: components["schemas"]["PartialKnown"] | null;
            proven: boolean;
            way: string;
        };
        Offer: {
            attained: {
                [key: string]: components["schemas"]["Threshold"];
            };
            /** Format: int32 */
            height: number;
            levels: {
                [key: string]: number;
            };
            loss?: {
                [key: string]: number;
            };
            loss_error?: {
                [key: string]: number;
            };
            privacy: {
                [key: string]: components["schemas"]["Threshold"];
            };
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
            thresholds: components["schemas"]["Privacy"][];
        };
        Offers: {
            attribute: components["schemas"]["AttributeOffer"][];
            attribute_reason?: string | null;
            height?: components["schemas"]["Offer"] | null;
            height_reason?: string | null;
            privacy?: components["schemas"]["Offer"] | null;
            privacy_each?: components["schemas"]["PrivacyOffer"][];
            privacy_reason?: string | null;
            suppression?: components["schemas"]["Offer"] | null;
            suppression_reason?: string | null;
        };
        Optimum: {
            loss: {
                [key: string]: number;
            };
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
        };
        /** @enum {string} */
        Outcome: "exact" | "relaxed";
        PartialKnown: {
            estimator: string;
            meaning: string;
            of: number;
            /** Format: double */
            percent: number;
            schemes: number;
        };
        Pinned: {
            attained: {
                [key: string]: components["schemas"]["Threshold"];
            };
            examples: components["schemas"]["PinnedExample"][];
            /** Format: int64 */
            groups: number;
            /** Format: int32 */
            height: number;
            histogram?: components["schemas"]["SchemeHistogram"] | null;
            loss: {
                [key: string]: number;
            };
            rows: components["schemas"]["ExampleRow"][];
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
        };
        PinnedExample: {
            attribute: string;
            published: string;
            recorded: string;
        };
        Predicted: {
            /** Format: double */
            at_least: number;
            /** Format: double */
            at_most: number;
            loss: {
                [key: string]: number;
            };
            /** Format: double */
            probability: number;
            /** Format: double */
            suppressed: number;
        };
        PredictedScheme: {
            /** Format: int32 */
            height: number;
            predicted: components["schemas"]["Predicted"];
            scheme: number[];
        };
        PrepareEnded: {
            done: components["schemas"]["Prepared"];
        } | {
            error: components["schemas"]["Problems"];
        };
        Prepared: {
            schemes: number;
        };
        Preview: {
            attributes: components["schemas"]["PreviewAttribute"][];
            columns: string[];
            plan: components["schemas"]["ColumnPlan"];
            /** Format: int64 */
            records: number;
            rows: components["schemas"]["PreviewRow"][];
            /** Format: int64 */
            starred: number;
            /** Format: int64 */
            suppressed: number;
            weaker: components["schemas"]["Weakened"][];
        };
        PreviewAttribute: {
            after: components["schemas"]["ValueRecords"][];
            before: components["schemas"]["ValueRecords"][];
            /** Format: double */
            loss: number;
            name: string;
        };
        PreviewRow: {
            after?: string[] | null;
            before: string[];
        };
        Privacy: {
            model: string;
            on?: string;
        } & {
            [key: string]: number | string;
        };
        PrivacyOffer: {
            model: string;
            offer?: components["schemas"]["Offer"] | null;
            parameter: string;
            reason?: string | null;
            /** Format: double */
            value?: number | null;
        };
        Problems: {
            problems: components["schemas"]["ToldProblem"][];
        };
        ProjectOverview: {
            attributes: components["schemas"]["AttributeOverview"][];
            defaults: components["schemas"]["Ask"];
            name: string;
            notice?: string | null;
            qi: string[];
            /** Format: int64 */
            records: number;
            sensitive: string[];
            version: string;
        };
        PublicationReport: components["schemas"]["AccountFields"] & {
            as_recorded: string[];
            attained: {
                [key: string]: components["schemas"]["Threshold"];
            };
            columns: components["schemas"]["ColumnPlan"];
            earlier: components["schemas"]["EarlierPublication"][];
            /** Format: int64 */
            formulas: number;
            /** Format: int64 */
            groups: number;
            manifest?: string | null;
            order: string;
            output: string;
            private?: string | null;
            promise_over: string[];
            promised: {
                [key: string]: components["schemas"]["Threshold"];
            };
            recoding: string;
            record?: string | null;
            /** Format: int64 */
            records: number;
            result: string;
            scheme?: number[] | null;
            search_stopped?: boolean;
            sha256?: string | null;
            single_valued?: components["schemas"]["SingleValued"][];
            spreadsheet_safe: boolean;
            /** Format: int64 */
            starred: number;
            stars_failed?: string[];
            strategy?: string | null;
            unchanged: string[];
            /** Format: int64 */
            unique_over_all_columns: number;
            unrecorded?: string | null;
        };
        PublishEnded: {
            done: components["schemas"]["Published"];
        } | {
            refused: components["schemas"]["Refusal"];
        } | {
            error: components["schemas"]["Problems"];
        };
        Published: {
            downloads: {
                [key: string]: string;
            };
            report: components["schemas"]["PublicationReport"];
        };
        Qi: {
            qi?: string[] | null;
        };
        Refusal: {
            answer?: components["schemas"]["Answer"] | null;
            /** Format: int64 */
            limit?: number | null;
            reason: string;
            /** Format: int64 */
            suppressed?: number | null;
            weaker?: components["schemas"]["Weakened"][];
        };
        SchemeHistogram: {
            bins: components["schemas"]["HistogramBin"][];
            /** Format: int64 */
            groups: number;
            model: string;
            parameter: string;
        };
        Shown: {
            as_recorded?: string[] | null;
            refine?: boolean;
            result?: string | null;
            rows?: number | null;
            scheme?: number[] | null;
            strategy?: string | null;
            suppress?: components["schemas"]["Failing"];
        };
        SingleValued: {
            attribute: string;
            /** Format: int64 */
            groups: number;
            /** Format: int64 */
            records: number;
        };
        Step: {
            /** Format: int64 */
            done: number;
            /** Format: int64 */
            of: number;
            what: string;
        };
        StrategyEntry: {
            citation: string;
            definition: string;
            finds: string;
            id: string;
            needs: string;
            recoding: string;
            title: string;
        };
        Study: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            heights: components["schemas"]["HeightStudy"][];
        };
        SummaryReport: {
            id: string;
            /** Format: int64 */
            records: number;
            /** Format: int64 */
            scans: number;
        };
        Threshold: (number | null) | {
            [key: string]: number | null;
        };
        ToldProblem: {
            fix?: string | null;
            what: string;
            where?: string | null;
        };
        /** @enum {string} */
        Treatment: "generalized" | "unchanged" | "dropped";
        Underway: {
            progress: components["schemas"]["Step"];
        };
        ValueRecords: {
            /** Format: int64 */
            records: number;
            value?: string | null;
        };
        Weakened: {
            project: string;
            promised?: string | null;
        };
        Which: {
            scheme: number[];
        };
        Why: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            attributes: components["schemas"]["AttributeCost"][];
            changes: components["schemas"]["Change"][];
            /** Format: int64 */
            failing_groups: number;
            kinds: components["schemas"]["Kind"][];
            /** Format: double */
            loss: number;
            /** Format: double */
            loss_error?: number | null;
            measure: string;
            /** Format: int64 */
            records: number;
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type About = components['schemas']['About'];
export type Account = components['schemas']['Account'];
export type AccountFields = components['schemas']['AccountFields'];
export type Address = components['schemas']['Address'];
export type Against = components['schemas']['Against'];
export type Also = components['schemas']['Also'];
export type Answer = components['schemas']['Answer'];
export type AppliedInShort = components['schemas']['AppliedInShort'];
export type Ask = components['schemas']['Ask'];
export type Asked_About = components['schemas']['Asked_About'];
export type Asked_Against = components['schemas']['Asked_Against'];
export type Asked_Also = components['schemas']['Asked_Also'];
export type Asked_Contenders = components['schemas']['Asked_Contenders'];
export type Asked_Counted = components['schemas']['Asked_Counted'];
export type Asked_Drawn = components['schemas']['Asked_Drawn'];
export type Asked_How = components['schemas']['Asked_How'];
export type Asked_InstantLimits = components['schemas']['Asked_InstantLimits'];
export type Asked_Nothing = components['schemas']['Asked_Nothing'];
export type Asked_Shown = components['schemas']['Asked_Shown'];
export type Asked_Which = components['schemas']['Asked_Which'];
export type AttributeCost = components['schemas']['AttributeCost'];
export type AttributeOffer = components['schemas']['AttributeOffer'];
export type AttributeOverview = components['schemas']['AttributeOverview'];
export type Branch = components['schemas']['Branch'];
export type BuildEnded = components['schemas']['BuildEnded'];
export type Built = components['schemas']['Built'];
export type Change = components['schemas']['Change'];
export type ColumnAccount = components['schemas']['ColumnAccount'];
export type ColumnPlan = components['schemas']['ColumnPlan'];
export type ColumnView = components['schemas']['ColumnView'];
export type Columns = components['schemas']['Columns'];
export type CompareEnded = components['schemas']['CompareEnded'];
export type ComparedStrategy = components['schemas']['ComparedStrategy'];
export type Comparison = components['schemas']['Comparison'];
export type Contenders = components['schemas']['Contenders'];
export type Counted = components['schemas']['Counted'];
export type Drawn = components['schemas']['Drawn'];
export type DropReason = components['schemas']['DropReason'];
export type EarlierPublication = components['schemas']['EarlierPublication'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type ExampleRow = components['schemas']['ExampleRow'];
export type Failing = components['schemas']['Failing'];
export type Firm = components['schemas']['Firm'];
export type Format = components['schemas']['Format'];
export type Front = components['schemas']['Front'];
export type FrontPoint = components['schemas']['FrontPoint'];
export type HeightStudy = components['schemas']['HeightStudy'];
export type HierarchyView = components['schemas']['HierarchyView'];
export type HistogramBin = components['schemas']['HistogramBin'];
export type How = components['schemas']['How'];
export type InstantAnswer = components['schemas']['InstantAnswer'];
export type InstantLimits = components['schemas']['InstantLimits'];
export type InstantPlan = components['schemas']['InstantPlan'];
export type InstantPrediction = components['schemas']['InstantPrediction'];
export type Kind = components['schemas']['Kind'];
export type LatticeOverview = components['schemas']['LatticeOverview'];
export type LevelOverview = components['schemas']['LevelOverview'];
export type LevelsOverview = components['schemas']['LevelsOverview'];
export type Measure = components['schemas']['Measure'];
export type Model = components['schemas']['Model'];
export type Nothing = components['schemas']['Nothing'];
export type Obtained = components['schemas']['Obtained'];
export type Offer = components['schemas']['Offer'];
export type Offers = components['schemas']['Offers'];
export type Optimum = components['schemas']['Optimum'];
export type Outcome = components['schemas']['Outcome'];
export type PartialKnown = components['schemas']['PartialKnown'];
export type Pinned = components['schemas']['Pinned'];
export type PinnedExample = components['schemas']['PinnedExample'];
export type Predicted = components['schemas']['Predicted'];
export type PredictedScheme = components['schemas']['PredictedScheme'];
export type PrepareEnded = components['schemas']['PrepareEnded'];
export type Prepared = components['schemas']['Prepared'];
export type Preview = components['schemas']['Preview'];
export type PreviewAttribute = components['schemas']['PreviewAttribute'];
export type PreviewRow = components['schemas']['PreviewRow'];
export type Privacy = components['schemas']['Privacy'];
export type PrivacyOffer = components['schemas']['PrivacyOffer'];
export type Problems = components['schemas']['Problems'];
export type ProjectOverview = components['schemas']['ProjectOverview'];
export type PublicationReport = components['schemas']['PublicationReport'];
export type PublishEnded = components['schemas']['PublishEnded'];
export type Published = components['schemas']['Published'];
export type Qi = components['schemas']['Qi'];
export type Refusal = components['schemas']['Refusal'];
export type SchemeHistogram = components['schemas']['SchemeHistogram'];
export type Shown = components['schemas']['Shown'];
export type SingleValued = components['schemas']['SingleValued'];
export type Step = components['schemas']['Step'];
export type StrategyEntry = components['schemas']['StrategyEntry'];
export type Study = components['schemas']['Study'];
export type SummaryReport = components['schemas']['SummaryReport'];
export type Threshold = components['schemas']['Threshold'];
export type ToldProblem = components['schemas']['ToldProblem'];
export type Treatment = components['schemas']['Treatment'];
export type Underway = components['schemas']['Underway'];
export type ValueRecords = components['schemas']['ValueRecords'];
export type Weakened = components['schemas']['Weakened'];
export type Which = components['schemas']['Which'];
export type Why = components['schemas']['Why'];
