export { BUGS } from "./sim/bugs";
export { findViolation, simulate } from "./sim/simulate";
