export { receiveAssignment, isWorker, onConnection, type PrimaryCommand, sendToPrimary } from "./messages";
export { openProbe, startBackground } from "./background";
export { createWorkerPool } from "./pool";
export { openConnections, openDatabaseServer } from "./open-database";
export { createStopSignals } from "./stop-signals";
