/** The list itself: what was open beside it is closed. */
export { default } from "./default";
