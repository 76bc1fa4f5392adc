export { askForAssignment, isWorker, onConnection, type Order, tellMain } from "./assignment";
export { openProbe, startBackground } from "./background";
export { createCrew } from "./pool";
export { openConnections, openDatabaseServer } from "./open-database";
export { createStopSignals } from "./stop-signals";
