export { type FiguresOfProcess, openFigures } from "./open-figures";
export { openTraces } from "./open-traces";
export { observeDatabase } from "./observe";
export { serveMetrics } from "./serve-metrics";
export { type OwnFigures, readOwnFigures } from "./read-own-figures";
