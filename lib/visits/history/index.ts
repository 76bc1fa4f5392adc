export { readHistory } from "./read-history";
