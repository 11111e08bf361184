//! What is inferred from publications, compared with brute force on records that shares no code with
//! the product.

mod attacks;
mod belief;
mod brute;
mod groups;
mod queries;
mod risk;
mod utility;
