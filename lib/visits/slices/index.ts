export { countAllSlices, countSlices, recountSlices } from "./count-slices";
export type { FewValued } from "./domain/dimensions";
export { hourlySince } from "./domain/slice-range";
export { explore, EXPLORED_DIMENSIONS, type Explored, type ExploredDimension, type ExploredRow } from "./explore";
export { findUnusual, type NewRule, type Unusual } from "./find-unusual";
export { type Busiest, listBusiest } from "./list-busiest";
export { type Summary, type SummaryRow, summariseVisits } from "./summarise";
