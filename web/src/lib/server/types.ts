// Generated from openapi.json by `npm run types`. Do not edit.

export interface components {
    schemas: {
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
        AllLosses: {
            losses: number[];
        };
        AllSuppressed: {
            suppressed: number[];
        };
        Answer: {
            account: components["schemas"]["Account"];
            approximate?: string[];
            asked: components["schemas"]["Ask"];
            counted_from?: {
                [key: string]: number;
            } | null;
            exact?: components["schemas"]["Offer"] | null;
            /** Format: int64 */
            micros: number;
            obtained?: components["schemas"]["Obtained"] | null;
            outcome: components["schemas"]["Outcome"];
            range?: components["schemas"]["RangeAnswer"] | null;
            relaxations: components["schemas"]["Relaxation"][];
            runners_up?: components["schemas"]["Offer"][];
            /** Format: int32 */
            version: number;
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            top?: number;
        };
        AskQuestion: {
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /**
             * Format: double
             * @default null
             */
            time_limit?: number | null;
            top?: number;
        };
        Asked_InstantLimits: components["schemas"]["Ask"] & {
            max_scans?: number | null;
        } & {
            qi?: string[] | null;
        };
        Asked_Nothing: components["schemas"]["Ask"] & Record<string, never> & {
            qi?: string[] | null;
        };
        Asked_SchemeToCount: components["schemas"]["Ask"] & {
            scheme: number[];
        } & {
            qi?: string[] | null;
        };
        AttackReport: {
            attack: string;
            definition: string;
            /** Format: int64 */
            exposed?: number | null;
            /** Format: int64 */
            groups: number;
            note?: string | null;
            reason?: string | null;
            worst: components["schemas"]["WorstGroup"][];
        };
        AttackerRisk: {
            /** Format: int64 */
            above: number;
            /** Format: double */
            highest: number;
            /** Format: double */
            mean: number;
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
        AttributeOverview: {
            /** Format: int32 */
            levels?: number | null;
            name: string;
            qi: boolean;
            role: string;
        };
        AttributePrice: {
            /** Format: int32 */
            level?: number | null;
            levels: components["schemas"]["LevelPrice"][];
            name: string;
        };
        AttributeUtility: {
            attribute: string;
            entropy: components["schemas"]["BeforeAfter"];
            values: components["schemas"]["BeforeAfter"];
        };
        BeforeAfter: {
            /** Format: double */
            after: number;
            /** Format: double */
            before: number;
        };
        BeliefReport: {
            alpha?: string | null;
            exposed: components["schemas"]["ExposedTargets"];
            marginal: components["schemas"]["ExposedTargets"];
            prior: string;
            target?: components["schemas"]["TargetReport"] | null;
            worst: components["schemas"]["WorstBelief"][];
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
            error: components["schemas"]["ProblemList"];
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
        ChosenStudy: {
            /** Format: int64 */
            actual: number;
            /** Format: int64 */
            chosen: number;
            /** Format: double */
            error: number;
            /** Format: int32 */
            height: number;
            schemes: number;
            selected: number;
        };
        ColumnAccount: {
            as_recorded: boolean;
            /** Format: int64 */
            below_k: number;
            /** Format: int64 */
            below_k_jointly?: number | null;
            estimated?: boolean;
            explanation?: string | null;
            kept_by?: components["schemas"]["KeptBy"] | null;
            listed: boolean;
            name: string;
            reason?: components["schemas"]["DropReason"] | null;
            role: string;
            treatment: components["schemas"]["Treatment"];
            /** Format: int64 */
            unique: number;
        };
        /** @enum {string} */
        ColumnKind: "number" | "date" | "text";
        ColumnPlan: {
            /** Format: int64 */
            below_k_jointly: number;
            columns: components["schemas"]["ColumnAccount"][];
            /** Format: int64 */
            k: number;
            /** Format: int64 */
            max_below_k: number;
            /** Format: int64 */
            max_below_k_jointly: number;
            notes: string[];
            /** Format: int64 */
            records: number;
        };
        ColumnRank: {
            column: string;
            /** Format: int64 */
            keys: number;
            quasi_identifier: boolean;
            /** Format: double */
            share: number;
        };
        ColumnRisk: {
            largest: number;
            ranking: components["schemas"]["ColumnRank"][];
            /** Format: int64 */
            records: number;
            sets: components["schemas"]["KeySet"][];
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
        CompareQuestion: {
            levels?: number[] | {
                [key: string]: number;
            };
            max_suppressed?: number | string;
            /** @default [] */
            measures?: string[];
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default [] */
            strategies?: string[];
            /**
             * Format: double
             * @default null
             */
            time_limit?: number | null;
            top?: number;
        };
        Compared: {
            found: number;
            missed: components["schemas"]["FrontPoint"][];
            optima: number;
            wrong: components["schemas"]["FrontPoint"][];
        };
        ComparedStrategy: {
            error?: string | null;
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
            scheme?: number[] | null;
            stopped: boolean;
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
        Contribution: {
            /** Format: double */
            adds: number;
            /** Format: double */
            alone: number;
            attribute: string;
            /** Format: int64 */
            unique_alone: number;
            /** Format: int64 */
            unique_without: number;
            /** Format: double */
            without: number;
        };
        CountedScheme: {
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
        CrossTable: {
            account: components["schemas"]["Account"];
            axes: components["schemas"]["TableAxis"][];
            records: number[];
            scheme: number[];
            suppressed: number[];
        };
        CrossTableQuestion: {
            by: string[];
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            scheme?: number[] | null;
            top?: number;
        };
        DeviationStudy: {
            deviations: number;
            /** Format: double */
            mean_error: number;
        };
        Differing: {
            /** Format: int64 */
            compared: number;
            from?: string | null;
            /** Format: int64 */
            groups: number;
            /** Format: int64 */
            k: number;
            /** Format: int64 */
            not_compared: number;
            over: string[];
        };
        DiscardedTable: {
            was_served: boolean;
        };
        Document: {
            content: number[];
            media_type: string;
            name?: string | null;
        };
        /** @enum {string} */
        DropReason: "identifier" | "person" | "not-negotiated" | "named-like-identifier" | "nearly-unique" | "nearly-unique-together" | "nearly-unique-jointly" | "shadow" | "unreadable" | "separate" | "not-in-policy";
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
            error: components["schemas"]["ProblemList"];
        };
        ErrorSummary: {
            /** Format: double */
            mean: number;
            /** Format: double */
            median: number;
            /** Format: double */
            percentile_95: number;
        };
        EstimatorStudy: {
            estimator: string;
            formula: string;
            heights: components["schemas"]["ChosenStudy"][];
            overall: components["schemas"]["DeviationStudy"];
            substantial: components["schemas"]["DeviationStudy"];
            title: string;
        };
        EstimatorsQuestion: {
            levels?: number[] | {
                [key: string]: number;
            };
            max_suppressed?: number | string;
            only?: boolean;
            optimize?: string;
            /** Format: double */
            partial: number;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            top?: number;
        };
        EstimatorsStudy: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            estimators: components["schemas"]["EstimatorStudy"][];
            levels: components["schemas"]["LevelStudy"][];
            /** Format: double */
            percent: number;
        };
        ExactOptimum: {
            loss: {
                [key: string]: number;
            };
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
        };
        ExampleRow: {
            after: string[];
            before: string[];
        };
        ExposedTargets: {
            /** Format: int64 */
            breached: number;
            /** Format: int64 */
            negative: number;
            /** Format: int64 */
            positive: number;
            /** Format: int64 */
            successful: number;
            /** Format: int64 */
            suppressed: number;
            /** Format: int64 */
            targets: number;
        };
        /** @enum {string} */
        FileFormat: "csv" | "parquet";
        FileOptions: {
            /** @default csv */
            format?: components["schemas"]["FileFormat"];
            /** @default null */
            output?: string | null;
        };
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
        GroupSecurity: {
            group: string[];
            /** Format: double */
            psi: number;
            /** Format: int64 */
            records: number;
            value: string;
        };
        GroupSize: {
            /** Format: int64 */
            groups: number;
            /** Format: int64 */
            size: number;
        };
        GroupingPower: {
            attribute: string;
            /** Format: int64 */
            groups: number;
            sizes: components["schemas"]["GroupSize"][];
            /** Format: int64 */
            smallest: number;
        };
        GroupingQuestion: {
            qi?: string[];
        };
        GroupingStudy: {
            account: components["schemas"]["Account"];
            attributes: components["schemas"]["GroupingPower"][];
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
        HierarchyRule: {
            /** Format: double */
            above?: number | null;
            /** Format: double */
            below?: number | null;
            decimals?: boolean;
            /** Format: double */
            origin?: number;
            /** @enum {string} */
            rule: "intervals";
            widths: number[];
        } | {
            decimals?: boolean;
            levels: number[][];
            /** @enum {string} */
            rule: "bounds";
        } | {
            hidden: number[];
            length?: number | null;
            pad?: components["schemas"]["PaddingSide"];
            /** @enum {string} */
            rule: "prefix";
        } | {
            format?: string | null;
            /** @enum {string} */
            rule: "dates";
            units: string[];
        } | {
            levels: components["schemas"]["LabelledGroup"][][];
            order?: string[] | null;
            rest?: string | null;
            /** @enum {string} */
            rule: "groups";
        } | {
            branches: components["schemas"]["TreeNode"][];
            rest?: string | null;
            /** @enum {string} */
            rule: "tree";
        } | {
            path: string;
            /** @enum {string} */
            rule: "file";
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
        HistogramColumn: {
            /** Format: double */
            from: number;
            /** Format: int64 */
            records: number;
            /** Format: double */
            to: number;
        };
        HistogramQuestion: {
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default null */
            scheme?: number[] | null;
            top?: number;
        };
        InstantAnswer: {
            account?: components["schemas"]["Account"] | null;
            asked: components["schemas"]["Ask"];
            attained?: components["schemas"]["CountedScheme"] | null;
            levels: {
                [key: string]: number;
            };
            /** Format: int64 */
            limit: number;
            /** Format: int64 */
            micros: number;
            optimum?: components["schemas"]["ExactOptimum"] | null;
            plan: components["schemas"]["InstantPlan"];
            /** Format: int64 */
            plan_micros: number;
            predicted?: components["schemas"]["Predicted"] | null;
            relaxations?: components["schemas"]["InstantRelaxations"] | null;
            runners_up?: components["schemas"]["CountedScheme"][];
            /** Format: int64 */
            scans: number;
            scheme?: number[] | null;
            stopped?: boolean;
            summary: components["schemas"]["SummaryReport"];
            trials: components["schemas"]["CountedScheme"][];
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
            relaxed_height?: components["schemas"]["PredictedScheme"] | null;
            runners_up?: components["schemas"]["PredictedScheme"][];
            summary: components["schemas"]["SummaryReport"];
            suppressed: (number | null)[];
        };
        InstantRelaxations: {
            height?: components["schemas"]["CountedScheme"] | null;
            height_reason?: string | null;
        };
        /** @enum {string} */
        KeptBy: "keep" | "role" | "as-recorded";
        KeySet: {
            columns: string[];
            /** Format: int64 */
            records: number;
        };
        LabelledGroup: {
            label: string;
            members: string[];
        };
        LatticeOverview: {
            account: components["schemas"]["Account"];
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
            way: string;
        };
        LatticeQuestion: {
            qi?: string[];
        };
        LevelOverview: {
            examples: string[];
            /** Format: int32 */
            level: number;
            values: number;
        };
        LevelPrice: {
            examples: string[];
            /** Format: int64 */
            unprotected: number;
            values: number;
        };
        LevelStudy: {
            attribute: string;
            /** Format: double */
            average_group_size: number;
            groups: number;
            /** Format: int32 */
            level: number;
            /** Format: double */
            relative_importance: number;
        };
        LevelsOverview: {
            levels: components["schemas"]["LevelOverview"][];
            name: string;
            /** Format: int32 */
            top: number;
        };
        LimitedKnowledge: {
            attributes: number;
            by: string[];
            /** Format: double */
            confidence?: number | null;
            /** Format: int64 */
            smallest: number;
        };
        ListedQuery: string | components["schemas"]["QueryAsk"];
        /** @enum {string} */
        LossUse: "measure" | "weights" | "nothing";
        LossesQuestion: {
            levels?: number[] | {
                [key: string]: number;
            };
            /** @default lm */
            loss?: string;
            max_suppressed?: number | string;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            top?: number;
        };
        Measure: {
            additive: boolean;
            citation: string;
            definition: string;
            estimate: boolean;
            example: string;
            expected_from: string;
            formula: string;
            id: string;
            monotone: boolean;
            options: components["schemas"]["MeasureOption"][];
            range: string;
            suppressed: string;
            suppressing_costs: boolean;
            title: string;
            watches: boolean;
            weighted: boolean;
            workload: boolean;
        };
        MeasureOption: {
            meaning: string;
            name: string;
            options: string[];
        };
        /** @enum {string} */
        MissingPolicy: "drop" | "value" | "unmatched" | "error";
        MissingPrice: {
            /** Format: int64 */
            dropped: number;
            /** Format: int64 */
            incomplete: number;
            /** Format: int64 */
            records: number;
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
        ModelScore: {
            accuracy?: components["schemas"]["BeforeAfter"] | null;
            balanced_accuracy?: components["schemas"]["BeforeAfter"] | null;
            definition: string;
            model: string;
            reason?: string | null;
        };
        ModelsUtility: {
            chosen_without_held_out: boolean;
            classes: string[];
            classes_are?: string | null;
            encoding: string;
            /** Format: int64 */
            held_out: number;
            scheme?: number[] | null;
            scores: components["schemas"]["ModelScore"][];
            /** Format: int64 */
            training: number;
            /** Format: int64 */
            training_suppressed: number;
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
        OpenedSource: {
            source: components["schemas"]["SetupSource"];
            table?: string | null;
            url?: string | null;
        };
        /** @enum {string} */
        Outcome: "exact" | "relaxed";
        /** @enum {string} */
        PaddingSide: "right" | "left";
        PairPoint: {
            /** Format: int32 */
            height: number;
            /** Format: double */
            loss: number;
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
            thresholds: number[];
        };
        PairUtility: {
            attributes: string[];
            cramers_v: components["schemas"]["BeforeAfter"];
            mutual_information: components["schemas"]["BeforeAfter"];
        };
        PairsFront: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            /** Format: int64 */
            limit: number;
            loss: string;
            /** Format: double */
            max_loss: number;
            models: string[];
            parameters: string[];
            points: components["schemas"]["PairPoint"][];
        };
        ParetoAnswer: components["schemas"]["Front"] | components["schemas"]["PairsFront"];
        ParetoQuestion: {
            levels?: number[] | {
                [key: string]: number;
            };
            /** @default lm */
            loss?: string;
            /**
             * Format: double
             * @default null
             */
            max_loss?: number | null;
            max_suppressed?: number | string;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default false */
            suppression?: boolean;
            /** @default null */
            thresholds?: number[] | null;
            top?: number;
        };
        PartialKnown: {
            estimator: string;
            meaning: string;
            of: number;
            /** Format: double */
            percent: number;
            schemes: number;
        };
        PastedHierarchy: {
            column: string;
            text: string;
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
        PlanCheck: {
            missing: components["schemas"]["MissingPrice"];
            price: components["schemas"]["PlanPrice"];
            text: string;
        };
        PlanPrice: {
            attributes: components["schemas"]["AttributePrice"][];
            /** Format: int64 */
            k: number;
            /** Format: double */
            loss?: number | null;
            possible: boolean;
            scheme?: number[] | null;
            schemes: number;
            /** Format: int64 */
            suppressed?: number | null;
            /** Format: int64 */
            unprotected: number;
        };
        PlannedColumn: {
            hierarchy?: components["schemas"]["HierarchyRule"] | null;
            name: string;
            negotiated?: boolean;
            role: string;
        };
        /** @enum {string} */
        PlotFormat: "svg" | "png" | "csv";
        PlotQuestion: {
            /** Format: int32 */
            depth?: number | null;
            exhaustive?: boolean;
            figure: components["schemas"]["PlottedFigure"];
            format?: components["schemas"]["PlotFormat"];
            ground_rule?: string | null;
            levels?: number[] | {
                [key: string]: number;
            };
            loss?: string | null;
            /** Format: double */
            max_loss?: number | null;
            max_suppressed?: number | string;
            measures?: string[];
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            scheme?: number[] | null;
            start?: number[] | null;
            strategies?: string[];
            suppression?: boolean;
            thresholds?: number[] | null;
            /** Format: double */
            time_limit?: number | null;
            top?: number;
        };
        /** @enum {string} */
        PlottedFigure: "front" | "study" | "histogram" | "lattice" | "comparison" | "poka";
        PokaFront: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            /** Format: int32 */
            depth?: number | null;
            evaluated: number;
            exhaustive?: components["schemas"]["Compared"] | null;
            /** Format: int64 */
            limit: number;
            loss: string;
            model: string;
            parameter: string;
            points: components["schemas"]["FrontPoint"][];
            rule: string;
            schemes: number;
            start?: number[] | null;
            way: string;
        };
        PokaQuestion: {
            /**
             * Format: int32
             * @default null
             */
            depth?: number | null;
            /** @default false */
            exhaustive?: boolean;
            /** @default null */
            ground_rule?: string | null;
            levels?: number[] | {
                [key: string]: number;
            };
            /** @default lm */
            loss?: string;
            max_suppressed?: number | string;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default null */
            start?: number[] | null;
            top?: number;
        };
        PopulationUniques: {
            chosen: boolean;
            estimator: string;
            reason?: string | null;
            /** Format: double */
            uniques?: number | null;
            valid: string;
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
        PrepareQuestion: {
            levels?: number[] | {
                [key: string]: number;
            };
            /** @default null */
            loss?: string | null;
            max_suppressed?: number | string;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            top?: number;
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
        PreviewQuestion: {
            /** @default null */
            as_recorded?: string[] | null;
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @default false */
            refine?: boolean;
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default null */
            result?: string | null;
            /** @default 10 */
            rows?: number;
            /** @default null */
            scheme?: number[] | null;
            /** @default null */
            strategy?: string | null;
            /** @default drop */
            suppress?: components["schemas"]["SuppressedRecords"];
            top?: number;
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
        ProblemList: {
            kind: string;
            problems: components["schemas"]["ReportedProblem"][];
        };
        ProjectOverview: {
            attributes: components["schemas"]["AttributeOverview"][];
            defaults: components["schemas"]["Ask"];
            demo: boolean;
            location: string;
            name: string;
            notice?: string | null;
            qi: string[];
            /** Format: int64 */
            records: number;
            sensitive: string[];
            version: string;
        };
        ProjectVersion: {
            /** Format: int64 */
            version: number;
        };
        /** @enum {string} */
        PublicationForm: "table" | "anatomy";
        PublicationReport: components["schemas"]["AccountFields"] & {
            anatomy?: components["schemas"]["PublishedAnatomy"] | null;
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
            tight?: boolean;
            together?: components["schemas"]["Together"] | null;
            unchanged: string[];
            unique_estimated?: boolean;
            /** Format: int64 */
            unique_over_all_columns: number;
            unrecorded?: string | null;
        };
        PublishBody: components["schemas"]["Ask"] & components["schemas"]["PublishRequest"] & components["schemas"]["FileOptions"] & {
            qi?: string[] | null;
        };
        PublishEnded: {
            done: components["schemas"]["PublishedFiles"];
        } | {
            refused: components["schemas"]["Refusal"];
        } | {
            error: components["schemas"]["ProblemList"];
        };
        PublishRequest: {
            /** @default null */
            as_recorded?: string[] | null;
            /** @default null */
            flag?: string | null;
            /** @default table */
            form?: components["schemas"]["PublicationForm"];
            /** @default false */
            keep_order?: boolean;
            /** @default false */
            refine?: boolean;
            /** @default null */
            result?: string | null;
            /** @default null */
            scheme?: number[] | null;
            /**
             * Format: int64
             * @default null
             */
            seed?: number | null;
            /** @default false */
            spreadsheet_safe?: boolean;
            /** @default null */
            strategy?: string | null;
            /** @default drop */
            suppress?: components["schemas"]["SuppressedRecords"];
            /**
             * Format: double
             * @default null
             */
            time_limit?: number | null;
        };
        PublishedAnatomy: {
            attribute: string;
            exact: string[];
            group: string;
            sensitive: string;
        };
        PublishedFiles: {
            downloads: {
                [key: string]: string;
            };
            report: components["schemas"]["PublicationReport"];
        };
        PublishedRun: {
            recorded: number;
            value: string;
        };
        Qi: {
            qi?: string[] | null;
        };
        QueryAnswer: components["schemas"]["QueryResult"] & {
            basis: components["schemas"]["QueryBasis"];
            by_value?: components["schemas"]["QueryOfValue"][];
        };
        QueryAsk: {
            condition?: string;
            domain?: components["schemas"]["QueryDomain"];
            group_by?: string | null;
            of?: string | null;
        };
        QueryBasis: {
            apportioned?: string | null;
            as_recorded: string[];
            distance?: string | null;
            domain: components["schemas"]["QueryDomain"];
            /** Format: int64 */
            dropped?: number | null;
            empty_truth: boolean;
            probabilities: string;
            /** Format: int64 */
            records: number;
            /** Format: int64 */
            scans: number;
        };
        /** @enum {string} */
        QueryDomain: "occurring" | "leaves";
        QueryError: {
            /** Format: double */
            earth_movers?: number | null;
            /** Format: double */
            relative_count: number;
            /** Format: double */
            total_variation?: number | null;
        };
        QueryErrors: {
            corrected: components["schemas"]["QueryError"];
            independently_corrected: components["schemas"]["QueryError"];
            non_corrected: components["schemas"]["QueryError"];
        };
        QueryOfValue: components["schemas"]["QueryResult"] & {
            value: string;
        };
        QueryQuestion: {
            /** @default  */
            condition?: string;
            /** @default occurring */
            domain?: components["schemas"]["QueryDomain"];
            /** @default null */
            group_by?: string | null;
            levels?: number[] | {
                [key: string]: number;
            };
            max_suppressed?: number | string;
            /** @default null */
            of?: string | null;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default null */
            scheme?: number[] | null;
            /** @default null */
            strategy?: string | null;
            /** @default drop */
            suppress?: components["schemas"]["SuppressedRecords"];
            top?: number;
        };
        QueryResult: {
            corrected: components["schemas"]["SelectedRecords"];
            error?: components["schemas"]["QueryErrors"] | null;
            groups: components["schemas"]["SatisfyingGroups"];
            independently_corrected: components["schemas"]["SelectedRecords"];
            non_corrected: components["schemas"]["SelectedRecords"];
            truth?: components["schemas"]["SelectedRecords"] | null;
        };
        QuestionEntry: {
            examples: string[];
            fields: string[];
            files: string[];
            id: string;
            media_types: string[];
            reveals: components["schemas"]["Reveals"];
            takes_request: boolean;
            title: string;
            writes: boolean;
        };
        RangeAnswer: {
            by: string;
            model: string;
            parameter: string;
            points: components["schemas"]["Offer"][];
            /** Format: int64 */
            possible?: number | null;
            /** Format: int64 */
            strongest: number;
            /** Format: int64 */
            weakest: number;
        };
        ReadHierarchy: {
            hierarchy?: components["schemas"]["HierarchyRule"] | null;
        };
        Receipt: {
            downloads: {
                [key: string]: string;
            };
            id: string;
            report: components["schemas"]["PublicationReport"];
            request: {
                [key: string]: unknown;
            };
            /** Format: int64 */
            time: number;
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
        ReidentificationRisk: {
            contributions: components["schemas"]["Contribution"][];
            journalist?: components["schemas"]["AttackerRisk"] | null;
            limited_knowledge: components["schemas"]["LimitedKnowledge"][];
            /** Format: double */
            marketer: number;
            /** Format: int64 */
            population?: number | null;
            population_uniques: components["schemas"]["PopulationUniques"][];
            prosecutor: components["schemas"]["AttackerRisk"];
            /** Format: double */
            threshold: number;
            /** Format: int64 */
            unique: number;
        };
        Relaxation: {
            accept?: components["schemas"]["Ask"] | null;
            kind: components["schemas"]["RelaxationKind"];
            model?: string | null;
            offer?: components["schemas"]["Offer"] | null;
            parameter?: string | null;
            reason?: string | null;
            /** Format: double */
            value?: number | null;
            without?: string[];
        };
        /** @enum {string} */
        RelaxationKind: "suppression" | "height" | "privacy" | "attribute" | "attributes";
        /** @enum {string} */
        ReportForm: "public" | "private";
        /** @enum {string} */
        ReportFormat: "html" | "md" | "json";
        ReportQuestion: {
            /**
             * Format: double
             * @default 0.6
             */
            confidence?: number;
            /** @default public */
            form?: components["schemas"]["ReportForm"];
            /** @default html */
            format?: components["schemas"]["ReportFormat"];
            /**
             * Format: double
             * @default 0.3
             */
            held_out?: number;
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            /** @default null */
            published?: string | null;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default 2 */
            rule_length?: number;
            /** @default null */
            scheme?: number[] | null;
            /**
             * Format: int64
             * @default 1
             */
            seed?: number;
            /**
             * Format: double
             * @default 0.02
             */
            support?: number;
            /** @default null */
            target?: string | null;
            top?: number;
            /** @default null */
            workload?: string | null;
        };
        ReportedProblem: {
            fix?: string | null;
            what: string;
            where?: string | null;
        };
        /** @enum {string} */
        Reveals: "nothing" | "counts" | "labels" | "records";
        RiskAsk: {
            /** @default {} */
            alpha?: {
                [key: string]: number;
            };
            /** @default [] */
            attacks?: string[];
            /**
             * Format: double
             * @default 0.2
             */
            delta?: number;
            /**
             * Format: double
             * @default 0.01
             */
            epsilon?: number;
            /** @default 3 */
            key_size?: number;
            /** @default 1 */
            known_values?: number;
            /** @default 2 */
            knows?: number;
            /**
             * Format: int64
             * @default null
             */
            least_group?: number | null;
            levels?: number[] | {
                [key: string]: number;
            };
            max_suppressed?: number | string;
            /**
             * Format: double
             * @default 0.3
             */
            moved?: number;
            /** @default null */
            on?: string | null;
            only?: boolean;
            optimize?: string;
            /** @default null */
            population?: string | null;
            /** @default marginal */
            prior?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /**
             * Format: double
             * @default 0.1
             */
            rho1?: number;
            /**
             * Format: double
             * @default 0.5
             */
            rho2?: number;
            /** @default [] */
            rule_out?: string[];
            /**
             * Format: double
             * @default null
             */
            sampling_fraction?: number | null;
            /** @default null */
            scheme?: number[] | null;
            /**
             * Format: double
             * @default 0.25
             */
            similar?: number;
            /** @default null */
            strategy?: string | null;
            /** @default {} */
            target?: {
                [key: string]: string;
            };
            /**
             * Format: double
             * @default 0.2
             */
            threshold?: number;
            top?: number;
            /**
             * Format: double
             * @default 1
             */
            width?: number;
        };
        RiskReport: {
            columns?: components["schemas"]["ColumnRisk"] | null;
            /** Format: int64 */
            groups: number;
            quasi_identifiers: string[];
            /** Format: int64 */
            records: number;
            risk: components["schemas"]["ReidentificationRisk"];
            scheme?: number[] | null;
            sensitive: components["schemas"]["SensitiveRisk"][];
            /** Format: int64 */
            suppressed?: number | null;
            whole?: components["schemas"]["WholeRecords"] | null;
        };
        RuleExample: {
            outcome: components["schemas"]["RuleOutcome"];
            published?: string | null;
            rule: string;
        };
        /** @enum {string} */
        RuleOutcome: "kept" | "generalized" | "lost";
        RulesUtility: {
            /** Format: int64 */
            after: number;
            /** Format: int64 */
            before: number;
            /** Format: double */
            confidence: number;
            examples: components["schemas"]["RuleExample"][];
            /** Format: int64 */
            generalized: number;
            /** Format: int64 */
            kept: number;
            /** Format: int64 */
            lost: number;
            /** Format: int64 */
            new: number;
            rule_length: number;
            /** Format: double */
            support: number;
        };
        SatisfyingGroups: {
            /** Format: int64 */
            full: number;
            /** Format: int64 */
            partial: number;
        };
        SavedPlan: {
            plan: components["schemas"]["SetupPlan"];
            replace?: boolean;
        };
        SavedProject: {
            file: string;
        };
        SchemeCost: {
            /** Format: int32 */
            height: number;
            /** Format: double */
            loss: number;
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
        };
        SchemeHistogram: {
            bins: components["schemas"]["HistogramBin"][];
            /** Format: int64 */
            groups: number;
            model: string;
            parameter: string;
        };
        SchemeQuestion: {
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default null */
            scheme?: number[] | null;
            top?: number;
        };
        SchemeToCount: {
            scheme: number[];
        };
        SchemesQuestion: {
            levels?: number[] | {
                [key: string]: number;
            };
            loss?: string | null;
            max_suppressed?: number | string;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            schemes: number[][];
            top?: number;
        };
        SchemesReport: {
            measure: string;
            schemes: components["schemas"]["SchemeCost"][];
        };
        Security: {
            attribute: string;
            easily_guessed: components["schemas"]["GroupSecurity"][];
            easily_ruled_out: components["schemas"]["GroupSecurity"][];
            scheme: number[];
            values: components["schemas"]["ValueSecurity"][];
        };
        SecurityQuestion: {
            on?: string | null;
            qi?: string[];
            /** Format: double */
            scale?: number | null;
            scheme: number[];
            /** Format: double */
            width?: number | null;
            worst?: number | null;
        };
        SelectedRecords: {
            /** Format: double */
            mean?: number | null;
            /** Format: double */
            total: number;
            values: {
                [key: string]: number;
            };
        };
        SensitiveRisk: {
            attacks: components["schemas"]["AttackReport"][];
            attribute: string;
            belief: components["schemas"]["BeliefReport"];
        };
        ServedName: {
            name: string;
        };
        SetupColumn: {
            /** Format: int64 */
            distinct: number;
            doubtful: boolean;
            estimated: boolean;
            hierarchy?: components["schemas"]["HierarchyRule"] | null;
            hierarchy_why: string;
            kind: components["schemas"]["ColumnKind"];
            longest: number;
            /** Format: int64 */
            missing: number;
            name: string;
            range?: [
                number,
                number
            ] | null;
            role: string;
            why: string;
        };
        SetupEntry: {
            id: string;
            name: string;
            source: components["schemas"]["SetupSource"];
        };
        SetupPlan: {
            columns: components["schemas"]["PlannedColumn"][];
            /** Format: int64 */
            k?: number | null;
            max_suppressed?: string | null;
            missing?: string[];
            on_missing: components["schemas"]["MissingPolicy"];
            unit?: string | null;
        };
        /** @enum {string} */
        SetupSource: "uploaded" | "given" | "project" | "database";
        SetupStatus: {
            needed: boolean;
            project?: string | null;
            table?: string | null;
            tables: components["schemas"]["SetupEntry"][];
            /** Format: int64 */
            upload_limit: number;
        };
        SetupTable: {
            can_save: boolean;
            columns: components["schemas"]["SetupColumn"][];
            id: string;
            look_first: string[];
            name: string;
            plan: components["schemas"]["SetupPlan"];
            /** Format: int64 */
            records: number;
            source: components["schemas"]["SetupSource"];
        };
        SetupValues: {
            histogram: components["schemas"]["HistogramColumn"][];
            name: string;
            values: components["schemas"]["ValueRecords"][];
        };
        SingleValued: {
            attribute: string;
            /** Format: int64 */
            groups: number;
            /** Format: int64 */
            records: number;
        };
        StrategyEntry: {
            citation: string;
            definition: string;
            finds: string;
            id: string;
            loss: components["schemas"]["LossUse"];
            needs: string;
            recoding: string;
            title: string;
        };
        Study: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            heights: components["schemas"]["HeightStudy"][];
        };
        StudyQuestion: {
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            top?: number;
        };
        SummaryReport: {
            id: string;
            /** Format: int64 */
            records: number;
            /** Format: int64 */
            scans: number;
        };
        SuppressedQuestion: {
            /**
             * Format: int32
             * @default null
             */
            bits?: number | null;
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            top?: number;
        };
        /** @enum {string} */
        SuppressedRecords: "drop" | "star";
        SuppressedValue: {
            attribute: string;
            /** Format: int64 */
            records: number;
            /** Format: int64 */
            suppressed: number;
            value: string;
        };
        TableAxis: {
            attribute: string;
            published: components["schemas"]["PublishedRun"][];
            recorded: string[];
        };
        TargetReport: {
            contradiction: boolean;
            groups: number;
            values: components["schemas"]["ValueBelief"][];
        };
        Threshold: (number | null) | {
            [key: string]: number | null;
        };
        Together: {
            /** Format: int64 */
            below: number;
            /** Format: int64 */
            changed: number;
            /** Format: int64 */
            checked: number;
            differing: components["schemas"]["Differing"];
            /** Format: int64 */
            earlier: number;
            joined_on: string[];
            over: string[];
            /** Format: int64 */
            unchecked: number;
            /** Format: int64 */
            unique: number;
            /** Format: int64 */
            unrelated: number;
        };
        /** @enum {string} */
        Treatment: "generalized" | "unchanged" | "dropped";
        TreeNode: {
            below?: components["schemas"]["TreeNode"][];
            label: string;
        };
        UnderwayLine: {
            progress: components["schemas"]["WorkStep"];
        };
        UtilityAsk: {
            /**
             * Format: double
             * @default 0.6
             */
            confidence?: number;
            /**
             * Format: double
             * @default 0.3
             */
            held_out?: number;
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
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default 2 */
            rule_length?: number;
            /** @default null */
            scheme?: number[] | null;
            /**
             * Format: int64
             * @default 1
             */
            seed?: number;
            /** @default null */
            strategy?: string | null;
            /**
             * Format: double
             * @default 0.02
             */
            support?: number;
            /** @default null */
            target?: string | null;
            top?: number;
        };
        UtilityReport: {
            attributes: components["schemas"]["AttributeUtility"][];
            models?: components["schemas"]["ModelsUtility"] | null;
            models_reason?: string | null;
            pairs: components["schemas"]["PairUtility"][];
            quasi_identifiers: string[];
            /** Format: int64 */
            records: number;
            rules?: components["schemas"]["RulesUtility"] | null;
            rules_reason?: string | null;
            /** Format: int64 */
            scans: number;
            scheme?: number[] | null;
            strategy?: string | null;
            /** Format: int64 */
            suppressed: number;
            target: string;
        };
        ValueBelief: {
            /** Format: double */
            before: number;
            /** Format: double */
            least: number;
            /** Format: double */
            most: number;
            value: string;
        };
        ValueRecords: {
            /** Format: int64 */
            records: number;
            value?: string | null;
        };
        ValueSecurity: {
            /** Format: double */
            class: number;
            /** Format: int64 */
            groups: number;
            /** Format: double */
            least: number;
            /** Format: double */
            mean: number;
            /** Format: double */
            most: number;
            value: string;
        };
        Weakened: {
            project: string;
            promised?: string | null;
        };
        WholeRecords: {
            estimated?: boolean;
            /** Format: int64 */
            records: number;
            unchanged: string[];
            /** Format: int64 */
            unique: number;
        };
        Why: {
            account: components["schemas"]["Account"];
            asked: components["schemas"]["Ask"];
            attributes: components["schemas"]["AttributeCost"][];
            changes: components["schemas"]["Change"][];
            /** Format: int64 */
            failing_groups: number;
            kinds: components["schemas"]["SuppressedValue"][];
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
        WhyQuestion: {
            levels?: number[] | {
                [key: string]: number;
            };
            /** @default lm */
            loss?: string;
            max_suppressed?: number | string;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default null */
            scheme?: number[] | null;
            top?: number;
        };
        WorkStep: {
            /** Format: int64 */
            done: number;
            /** Format: int64 */
            of: number;
            what: string;
        };
        WorkloadAnswer: components["schemas"]["WorkloadReport"] | components["schemas"]["WorkloadOverSchemes"];
        WorkloadErrors: {
            relative_count: components["schemas"]["ErrorSummary"];
            total_variation?: components["schemas"]["ErrorSummary"] | null;
        };
        WorkloadOfScheme: {
            relative_count: components["schemas"]["ErrorSummary"];
            scheme: number[];
            /** Format: int64 */
            suppressed: number;
        };
        WorkloadOverSchemes: {
            answer: string;
            /** Format: int64 */
            empty_truth: number;
            /** Format: int64 */
            queries: number;
            schemes: components["schemas"]["WorkloadOfScheme"][];
        };
        WorkloadQuestion: {
            /** @default 2 */
            dimensions?: number;
            /** @default null */
            every_scheme?: string | null;
            /** @default null */
            file?: string | null;
            levels?: number[] | {
                [key: string]: number;
            };
            max_suppressed?: number | string;
            /** @default null */
            of?: string | null;
            only?: boolean;
            optimize?: string;
            privacy?: ({
                model: string;
                on?: string;
            } & {
                [key: string]: number | string;
            })[] | {
                [key: string]: number | string | {
                    [key: string]: number | string;
                };
            } | string;
            qi?: string[];
            /** @default null */
            queries?: components["schemas"]["ListedQuery"][] | null;
            /** @default null */
            random?: number | null;
            /** @enum {string} */
            relax_height?: "lowest" | "closest" | "published";
            /** @default null */
            scheme?: number[] | null;
            /**
             * Format: int64
             * @default 1
             */
            seed?: number;
            /**
             * Format: double
             * @default 0.05
             */
            selectivity?: number;
            /** @default null */
            strategy?: string | null;
            /** @default drop */
            suppress?: components["schemas"]["SuppressedRecords"];
            top?: number;
        };
        WorkloadReport: {
            basis: components["schemas"]["QueryBasis"];
            /** Format: int64 */
            empty_truth: number;
            errors: {
                [key: string]: components["schemas"]["WorkloadErrors"];
            };
            /** Format: int64 */
            queries: number;
        };
        WorstBelief: {
            /** Format: double */
            after: number;
            /** Format: double */
            before: number;
            /** Format: int64 */
            records: number;
            values: string[];
        };
        WorstGroup: {
            /** Format: int64 */
            exposed: number;
            /** Format: int64 */
            records: number;
            values: string[];
            why: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Account = components['schemas']['Account'];
export type AccountFields = components['schemas']['AccountFields'];
export type Address = components['schemas']['Address'];
export type AllLosses = components['schemas']['AllLosses'];
export type AllSuppressed = components['schemas']['AllSuppressed'];
export type Answer = components['schemas']['Answer'];
export type AppliedInShort = components['schemas']['AppliedInShort'];
export type Ask = components['schemas']['Ask'];
export type AskQuestion = components['schemas']['AskQuestion'];
export type Asked_InstantLimits = components['schemas']['Asked_InstantLimits'];
export type Asked_Nothing = components['schemas']['Asked_Nothing'];
export type Asked_SchemeToCount = components['schemas']['Asked_SchemeToCount'];
export type AttackReport = components['schemas']['AttackReport'];
export type AttackerRisk = components['schemas']['AttackerRisk'];
export type AttributeCost = components['schemas']['AttributeCost'];
export type AttributeOverview = components['schemas']['AttributeOverview'];
export type AttributePrice = components['schemas']['AttributePrice'];
export type AttributeUtility = components['schemas']['AttributeUtility'];
export type BeforeAfter = components['schemas']['BeforeAfter'];
export type BeliefReport = components['schemas']['BeliefReport'];
export type Branch = components['schemas']['Branch'];
export type BuildEnded = components['schemas']['BuildEnded'];
export type Built = components['schemas']['Built'];
export type Change = components['schemas']['Change'];
export type ChosenStudy = components['schemas']['ChosenStudy'];
export type ColumnAccount = components['schemas']['ColumnAccount'];
export type ColumnKind = components['schemas']['ColumnKind'];
export type ColumnPlan = components['schemas']['ColumnPlan'];
export type ColumnRank = components['schemas']['ColumnRank'];
export type ColumnRisk = components['schemas']['ColumnRisk'];
export type ColumnView = components['schemas']['ColumnView'];
export type Columns = components['schemas']['Columns'];
export type CompareQuestion = components['schemas']['CompareQuestion'];
export type Compared = components['schemas']['Compared'];
export type ComparedStrategy = components['schemas']['ComparedStrategy'];
export type Comparison = components['schemas']['Comparison'];
export type Contribution = components['schemas']['Contribution'];
export type CountedScheme = components['schemas']['CountedScheme'];
export type CrossTable = components['schemas']['CrossTable'];
export type CrossTableQuestion = components['schemas']['CrossTableQuestion'];
export type DeviationStudy = components['schemas']['DeviationStudy'];
export type Differing = components['schemas']['Differing'];
export type DiscardedTable = components['schemas']['DiscardedTable'];
export type Document = components['schemas']['Document'];
export type DropReason = components['schemas']['DropReason'];
export type EarlierPublication = components['schemas']['EarlierPublication'];
export type ErrorBody = components['schemas']['ErrorBody'];
export type ErrorSummary = components['schemas']['ErrorSummary'];
export type EstimatorStudy = components['schemas']['EstimatorStudy'];
export type EstimatorsQuestion = components['schemas']['EstimatorsQuestion'];
export type EstimatorsStudy = components['schemas']['EstimatorsStudy'];
export type ExactOptimum = components['schemas']['ExactOptimum'];
export type ExampleRow = components['schemas']['ExampleRow'];
export type ExposedTargets = components['schemas']['ExposedTargets'];
export type FileFormat = components['schemas']['FileFormat'];
export type FileOptions = components['schemas']['FileOptions'];
export type Front = components['schemas']['Front'];
export type FrontPoint = components['schemas']['FrontPoint'];
export type GroupSecurity = components['schemas']['GroupSecurity'];
export type GroupSize = components['schemas']['GroupSize'];
export type GroupingPower = components['schemas']['GroupingPower'];
export type GroupingQuestion = components['schemas']['GroupingQuestion'];
export type GroupingStudy = components['schemas']['GroupingStudy'];
export type HeightStudy = components['schemas']['HeightStudy'];
export type HierarchyRule = components['schemas']['HierarchyRule'];
export type HierarchyView = components['schemas']['HierarchyView'];
export type HistogramBin = components['schemas']['HistogramBin'];
export type HistogramColumn = components['schemas']['HistogramColumn'];
export type HistogramQuestion = components['schemas']['HistogramQuestion'];
export type InstantAnswer = components['schemas']['InstantAnswer'];
export type InstantLimits = components['schemas']['InstantLimits'];
export type InstantPlan = components['schemas']['InstantPlan'];
export type InstantPrediction = components['schemas']['InstantPrediction'];
export type InstantRelaxations = components['schemas']['InstantRelaxations'];
export type KeptBy = components['schemas']['KeptBy'];
export type KeySet = components['schemas']['KeySet'];
export type LabelledGroup = components['schemas']['LabelledGroup'];
export type LatticeOverview = components['schemas']['LatticeOverview'];
export type LatticeQuestion = components['schemas']['LatticeQuestion'];
export type LevelOverview = components['schemas']['LevelOverview'];
export type LevelPrice = components['schemas']['LevelPrice'];
export type LevelStudy = components['schemas']['LevelStudy'];
export type LevelsOverview = components['schemas']['LevelsOverview'];
export type LimitedKnowledge = components['schemas']['LimitedKnowledge'];
export type ListedQuery = components['schemas']['ListedQuery'];
export type LossUse = components['schemas']['LossUse'];
export type LossesQuestion = components['schemas']['LossesQuestion'];
export type Measure = components['schemas']['Measure'];
export type MeasureOption = components['schemas']['MeasureOption'];
export type MissingPolicy = components['schemas']['MissingPolicy'];
export type MissingPrice = components['schemas']['MissingPrice'];
export type Model = components['schemas']['Model'];
export type ModelScore = components['schemas']['ModelScore'];
export type ModelsUtility = components['schemas']['ModelsUtility'];
export type Nothing = components['schemas']['Nothing'];
export type Obtained = components['schemas']['Obtained'];
export type Offer = components['schemas']['Offer'];
export type OpenedSource = components['schemas']['OpenedSource'];
export type Outcome = components['schemas']['Outcome'];
export type PaddingSide = components['schemas']['PaddingSide'];
export type PairPoint = components['schemas']['PairPoint'];
export type PairUtility = components['schemas']['PairUtility'];
export type PairsFront = components['schemas']['PairsFront'];
export type ParetoAnswer = components['schemas']['ParetoAnswer'];
export type ParetoQuestion = components['schemas']['ParetoQuestion'];
export type PartialKnown = components['schemas']['PartialKnown'];
export type PastedHierarchy = components['schemas']['PastedHierarchy'];
export type Pinned = components['schemas']['Pinned'];
export type PinnedExample = components['schemas']['PinnedExample'];
export type PlanCheck = components['schemas']['PlanCheck'];
export type PlanPrice = components['schemas']['PlanPrice'];
export type PlannedColumn = components['schemas']['PlannedColumn'];
export type PlotFormat = components['schemas']['PlotFormat'];
export type PlotQuestion = components['schemas']['PlotQuestion'];
export type PlottedFigure = components['schemas']['PlottedFigure'];
export type PokaFront = components['schemas']['PokaFront'];
export type PokaQuestion = components['schemas']['PokaQuestion'];
export type PopulationUniques = components['schemas']['PopulationUniques'];
export type Predicted = components['schemas']['Predicted'];
export type PredictedScheme = components['schemas']['PredictedScheme'];
export type PrepareQuestion = components['schemas']['PrepareQuestion'];
export type Prepared = components['schemas']['Prepared'];
export type Preview = components['schemas']['Preview'];
export type PreviewAttribute = components['schemas']['PreviewAttribute'];
export type PreviewQuestion = components['schemas']['PreviewQuestion'];
export type PreviewRow = components['schemas']['PreviewRow'];
export type Privacy = components['schemas']['Privacy'];
export type ProblemList = components['schemas']['ProblemList'];
export type ProjectOverview = components['schemas']['ProjectOverview'];
export type ProjectVersion = components['schemas']['ProjectVersion'];
export type PublicationForm = components['schemas']['PublicationForm'];
export type PublicationReport = components['schemas']['PublicationReport'];
export type PublishBody = components['schemas']['PublishBody'];
export type PublishEnded = components['schemas']['PublishEnded'];
export type PublishRequest = components['schemas']['PublishRequest'];
export type PublishedAnatomy = components['schemas']['PublishedAnatomy'];
export type PublishedFiles = components['schemas']['PublishedFiles'];
export type PublishedRun = components['schemas']['PublishedRun'];
export type Qi = components['schemas']['Qi'];
export type QueryAnswer = components['schemas']['QueryAnswer'];
export type QueryAsk = components['schemas']['QueryAsk'];
export type QueryBasis = components['schemas']['QueryBasis'];
export type QueryDomain = components['schemas']['QueryDomain'];
export type QueryError = components['schemas']['QueryError'];
export type QueryErrors = components['schemas']['QueryErrors'];
export type QueryOfValue = components['schemas']['QueryOfValue'];
export type QueryQuestion = components['schemas']['QueryQuestion'];
export type QueryResult = components['schemas']['QueryResult'];
export type QuestionEntry = components['schemas']['QuestionEntry'];
export type RangeAnswer = components['schemas']['RangeAnswer'];
export type ReadHierarchy = components['schemas']['ReadHierarchy'];
export type Receipt = components['schemas']['Receipt'];
export type Refusal = components['schemas']['Refusal'];
export type ReidentificationRisk = components['schemas']['ReidentificationRisk'];
export type Relaxation = components['schemas']['Relaxation'];
export type RelaxationKind = components['schemas']['RelaxationKind'];
export type ReportForm = components['schemas']['ReportForm'];
export type ReportFormat = components['schemas']['ReportFormat'];
export type ReportQuestion = components['schemas']['ReportQuestion'];
export type ReportedProblem = components['schemas']['ReportedProblem'];
export type Reveals = components['schemas']['Reveals'];
export type RiskAsk = components['schemas']['RiskAsk'];
export type RiskReport = components['schemas']['RiskReport'];
export type RuleExample = components['schemas']['RuleExample'];
export type RuleOutcome = components['schemas']['RuleOutcome'];
export type RulesUtility = components['schemas']['RulesUtility'];
export type SatisfyingGroups = components['schemas']['SatisfyingGroups'];
export type SavedPlan = components['schemas']['SavedPlan'];
export type SavedProject = components['schemas']['SavedProject'];
export type SchemeCost = components['schemas']['SchemeCost'];
export type SchemeHistogram = components['schemas']['SchemeHistogram'];
export type SchemeQuestion = components['schemas']['SchemeQuestion'];
export type SchemeToCount = components['schemas']['SchemeToCount'];
export type SchemesQuestion = components['schemas']['SchemesQuestion'];
export type SchemesReport = components['schemas']['SchemesReport'];
export type Security = components['schemas']['Security'];
export type SecurityQuestion = components['schemas']['SecurityQuestion'];
export type SelectedRecords = components['schemas']['SelectedRecords'];
export type SensitiveRisk = components['schemas']['SensitiveRisk'];
export type ServedName = components['schemas']['ServedName'];
export type SetupColumn = components['schemas']['SetupColumn'];
export type SetupEntry = components['schemas']['SetupEntry'];
export type SetupPlan = components['schemas']['SetupPlan'];
export type SetupSource = components['schemas']['SetupSource'];
export type SetupStatus = components['schemas']['SetupStatus'];
export type SetupTable = components['schemas']['SetupTable'];
export type SetupValues = components['schemas']['SetupValues'];
export type SingleValued = components['schemas']['SingleValued'];
export type StrategyEntry = components['schemas']['StrategyEntry'];
export type Study = components['schemas']['Study'];
export type StudyQuestion = components['schemas']['StudyQuestion'];
export type SummaryReport = components['schemas']['SummaryReport'];
export type SuppressedQuestion = components['schemas']['SuppressedQuestion'];
export type SuppressedRecords = components['schemas']['SuppressedRecords'];
export type SuppressedValue = components['schemas']['SuppressedValue'];
export type TableAxis = components['schemas']['TableAxis'];
export type TargetReport = components['schemas']['TargetReport'];
export type Threshold = components['schemas']['Threshold'];
export type Together = components['schemas']['Together'];
export type Treatment = components['schemas']['Treatment'];
export type TreeNode = components['schemas']['TreeNode'];
export type UnderwayLine = components['schemas']['UnderwayLine'];
export type UtilityAsk = components['schemas']['UtilityAsk'];
export type UtilityReport = components['schemas']['UtilityReport'];
export type ValueBelief = components['schemas']['ValueBelief'];
export type ValueRecords = components['schemas']['ValueRecords'];
export type ValueSecurity = components['schemas']['ValueSecurity'];
export type Weakened = components['schemas']['Weakened'];
export type WholeRecords = components['schemas']['WholeRecords'];
export type Why = components['schemas']['Why'];
export type WhyQuestion = components['schemas']['WhyQuestion'];
export type WorkStep = components['schemas']['WorkStep'];
export type WorkloadAnswer = components['schemas']['WorkloadAnswer'];
export type WorkloadErrors = components['schemas']['WorkloadErrors'];
export type WorkloadOfScheme = components['schemas']['WorkloadOfScheme'];
export type WorkloadOverSchemes = components['schemas']['WorkloadOverSchemes'];
export type WorkloadQuestion = components['schemas']['WorkloadQuestion'];
export type WorkloadReport = components['schemas']['WorkloadReport'];
export type WorstBelief = components['schemas']['WorstBelief'];
export type WorstGroup = components['schemas']['WorstGroup'];
