//! Errors in the words of the command line: the libraries say what to do, and do not know its
//! commands and flags.

use haggle::{Error, Problem, Remedy};
use haggle_server::StartError;

/// Returns what to do, with the commands and flags that help.
fn remedy(remedy: &Remedy) -> String {
    let flags = match remedy {
        Remedy::BuildAgain => return "write it anew with `haggle build PROJECT`".into(),
        Remedy::AskLattice => return format!("{remedy}: haggle ask"),
        Remedy::NameProject => return format!("{remedy}: haggle verify FILE PROJECT"),
        Remedy::StartAgain => return "run the command again".into(),
        Remedy::RaiseMemory(_) => {
            "--memory sets the limit, --qi chooses the quasi-identifiers, --from-level counts from higher levels"
        }
        Remedy::RaiseTimeLimit => "--time-limit sets the limit, --strategy chooses a strategy",
        Remedy::AllowReplacing => "--force replaces the file",
        Remedy::NameOutput(_) => "-o names the file",
        Remedy::StateOnly => "--only publishes less than the project asks for",
        Remedy::AnnotateAll => "--qi chooses the quasi-identifiers, --full annotates all schemes",
        Remedy::NameThreshold => "--k, --l and --privacy name thresholds",
        _ => return remedy.to_string(),
    };
    format!("{remedy}\n    flags: {flags}")
}

/// Returns a problem with its remedy in the words of the command line.
fn reworded(problem: &Problem) -> Problem {
    problem.clone().fix(remedy(&problem.fix))
}

/// Returns the error of a library, if it is the cause.
pub(crate) fn cause(error: &anyhow::Error) -> Option<&Error> {
    error.chain().last().and_then(|cause| cause.downcast_ref())
}

/// Words an error with the commands and flags that help.
pub(crate) fn worded(error: &anyhow::Error) -> String {
    let Some(cause) = cause(error) else {
        let remote = matches!(error.downcast_ref(), Some(StartError::Remote(_)));
        let flags = if remote { "\n    flags: --allow-remote allows it" } else { "" };
        return format!("error: {error:#}{flags}");
    };
    let contexts = error.chain().count() - 1;
    let contexts: String = error.chain().take(contexts).map(|one| format!("{one}: ")).collect();
    let problems = cause.problems().iter().map(|problem| reworded(problem).to_string());
    let problems: Vec<String> = problems.collect();
    format!("error: {contexts}{}", problems.join("\n"))
}

#[cfg(test)]
mod tests {
    use haggle::ErrorKind;

    use super::*;

    #[test]
    fn remedies_name_flags_and_contexts_stay() {
        let conflict = Error::of_kind(ErrorKind::Conflict, "it exists", Remedy::AllowReplacing);
        let error = anyhow::Error::from(conflict).context("not stored");
        assert_eq!(
            worded(&error),
            "error: not stored: it exists\n    fix: name another file, or allow this one to be \
             replaced\n    flags: --force replaces the file"
        );
        let own = anyhow::anyhow!("there is nothing to change\n    fix: name a file with --add");
        assert_eq!(worded(&own), format!("error: {own}"));
    }
}
