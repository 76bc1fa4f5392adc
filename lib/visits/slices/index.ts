export { countAllSlices, countSlices, recountSlices } from "./count-slices";
export { type Dimension, DIMENSIONS } from "./domain/dimensions";
export { explore, type Explored, type ExploredDimension, type ExploredRow } from "./explore";
export { findUnusual, type NewRule, type Unusual } from "./find-unusual";
export { type Busiest, listBusiest } from "./list-busiest";
export { type Summary, type SummaryRow, summariseVisits } from "./summarise";
