//! `POST /api/suppressed`: what every scheme suppresses, as whole numbers of 32 or 64 bits.

use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use haggle::{Ask, Engine, Progress};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::body::{Asked, ExtraFields};
use crate::failure::{ErrorBody, Failure};
use crate::state::Shared;

/// How wide the numbers are.
#[derive(Debug, Deserialize, Serialize, ToSchema)]
pub(crate) struct NumberWidth {
    /// The bits of each number: 64, or 32 if every number fits; 32 if not given.
    #[serde(default)]
    bits: Option<u8>,
}

impl ExtraFields for NumberWidth {
    const FIELDS: &'static [&'static str] = &["bits"];
}

/// Writes numbers, or refuses those that do not fit.
type WriteNumbers = fn(&[u64]) -> Result<Vec<u8>, Failure>;

impl NumberWidth {
    /// Returns the function that writes numbers this wide.
    fn writer(&self) -> Result<WriteNumbers, Failure> {
        match self.bits {
            None | Some(32) => Ok(in_32_bits),
            Some(64) => {
                Ok(|numbers| Ok(numbers.iter().flat_map(|number| number.to_le_bytes()).collect()))
            }
            Some(bits) => {
                let what = format!("numbers of {bits} bits cannot be sent");
                Err(Failure::new(StatusCode::BAD_REQUEST, &what, "ask for 32 or 64 bits"))
            }
        }
    }
}

fn in_32_bits(numbers: &[u64]) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::with_capacity(size_of::<u32>() * numbers.len());
    for &number in numbers {
        let number = u32::try_from(number).map_err(|_| {
            let what = "a scheme suppresses more records than a number of 32 bits can hold";
            Failure::new(StatusCode::UNPROCESSABLE_ENTITY, what, "ask with \"bits\": 64")
        })?;
        bytes.extend(number.to_le_bytes());
    }
    Ok(bytes)
}

/// What every scheme suppresses: for each, in the order of levels, the last attribute's changing
/// fastest, a number of four bytes, or eight with `bits` 64, the lowest first
#[utoipa::path(post, path = "/api/suppressed", request_body = Asked<NumberWidth>, responses(
    (status = 200, content_type = "application/octet-stream", body = Vec<u8>),
    (status = "4XX", body = ErrorBody),
))]
pub(crate) async fn suppressed(
    state: Shared,
    asked: Asked<NumberWidth>,
) -> Result<impl IntoResponse, Failure> {
    let write = asked.extra.writer()?;
    let costs = |engine: &Engine, ask: &Ask, progress: &dyn Progress| {
        engine.prepare(ask, &[], progress)?;
        engine.suppressed(ask)
    };
    let costs = state.ask(asked.qi, asked.ask, costs).await?;
    Ok(([(header::CONTENT_TYPE, "application/octet-stream")], write(&costs)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_wide_as_asked_for_or_refused() {
        let numbers = [0, u64::from(u32::MAX), u64::from(u32::MAX) + 1, 5_000_000_007];
        let wide = |bits| NumberWidth { bits }.writer().unwrap();
        let bytes = wide(Some(64))(&numbers).unwrap();
        let read = bytes.chunks(8).map(|eight| u64::from_le_bytes(eight.try_into().unwrap()));
        assert_eq!(read.collect::<Vec<u64>>(), numbers);
        for bits in [None, Some(32)] {
            assert_eq!(wide(bits)(&numbers[..2]).unwrap(), [0, 0, 0, 0, 255, 255, 255, 255]);
            let refused = wide(bits)(&numbers[..3]).unwrap_err();
            assert_eq!(refused.status, StatusCode::UNPROCESSABLE_ENTITY);
        }
        let refused = NumberWidth { bits: Some(16) }.writer().unwrap_err();
        assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    }
}
