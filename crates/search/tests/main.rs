//! Searches against brute force and published figures.

mod brute_force;
mod partial;
mod poka;
mod published;
mod strategies;
mod synthetic;
