/** The list without a side panel. */
export { default } from "./default";
