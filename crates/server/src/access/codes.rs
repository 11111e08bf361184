//! One-time codes: each signs one browser in, once, and only for a few minutes.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Digest, Secret};
use crate::private_files::write_private;

/// How long a code can be used.
pub(crate) const LIFETIME: Duration = Duration::from_mins(5);

/// How many unused codes there can be; the oldest go first.
const CAPACITY: usize = 16;

/// The codes that were not used yet, the newest at the back.
#[derive(Debug, Default)]
pub(crate) struct Codes(Mutex<Vec<Code>>);

#[derive(Debug)]
struct Code {
    digest: Digest,
    expires: Instant,
    /// The file that redirects a browser to it; removed with the code.
    file: Option<PathBuf>,
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            // It may have been removed with its folder.
            let _ = std::fs::remove_file(file);
        }
    }
}

impl Codes {
    /// The address of a new code at this origin.
    pub(crate) fn issue(&self, origin: &str) -> io::Result<String> {
        let code = Secret::random()?;
        self.keep(&code, None);
        Ok(address(origin, &code))
    }

    /// Writes a file, readable by its owner only, that redirects a browser to a new code: the
    /// program that opens it needs no address among its arguments, where every user of the machine
    /// could see it.
    pub(crate) fn issue_file(&self, origin: &str, folder: &Path) -> io::Result<PathBuf> {
        let code = Secret::random()?;
        let file = folder.join(format!("open-{}.html", &Secret::random()?.as_str()[..8]));
        write_private(&file, redirect(&address(origin, &code)).as_bytes())?;
        self.keep(&code, Some(file.clone()));
        Ok(file)
    }

    fn keep(&self, code: &Secret, file: Option<PathBuf>) {
        let mut codes = self.valid();
        if codes.len() == CAPACITY {
            codes.remove(0);
        }
        codes.push(Code { digest: code.digest(), expires: Instant::now() + LIFETIME, file });
    }

    /// Uses up a code; returns whether it was valid.
    pub(crate) fn take(&self, code: &str) -> bool {
        let (mut codes, digest) = (self.valid(), Digest::of(code));
        let found = codes.iter().position(|code| code.digest == digest);
        found.map(|found| codes.remove(found)).is_some()
    }

    /// Forgets codes that are too old, with their files.
    pub(crate) fn expire(&self) {
        drop(self.valid());
    }

    fn valid(&self) -> MutexGuard<'_, Vec<Code>> {
        let mut codes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        codes.retain(|code| code.expires > now);
        codes
    }
}

fn address(origin: &str, code: &Secret) -> String {
    format!("{origin}/enter?code={}", code.as_str())
}

fn redirect(address: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n\
         <title>haggle</title>\n<p><a href=\"{address}\">Open haggle</a></p>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_works_once_and_only_while_it_is_young() {
        let codes = Codes::default();
        let code = |address: String| address.rsplit_once('=').unwrap().1.to_owned();
        let first = code(codes.issue("http://x").unwrap());
        assert!(!codes.take("0"));
        assert!(codes.take(&first) && !codes.take(&first));
        let old = code(codes.issue("http://x").unwrap());
        codes.0.lock().unwrap()[0].expires = Instant::now();
        assert!(!codes.take(&old));
    }

    #[test]
    fn a_redirect_file_goes_with_its_code() {
        let folder = tempfile::tempdir().unwrap();
        let codes = Codes::default();
        let file = codes.issue_file("http://x", folder.path()).unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("code=").nth(1).unwrap().split('"').next().unwrap();
        assert!(codes.take(code) && !file.exists());
        let many: Vec<_> =
            (0..20).map(|_| codes.issue_file("http://x", folder.path()).unwrap()).collect();
        assert_eq!(many.iter().filter(|file| file.exists()).count(), CAPACITY);
    }
}
