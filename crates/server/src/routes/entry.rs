//! Who may enter: the address to open, the door, and the guard before every route.

pub(crate) mod address;
pub(crate) mod authorize;
pub(crate) mod enter;
