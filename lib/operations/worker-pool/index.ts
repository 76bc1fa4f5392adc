export {
  type Assignment,
  isWorker,
  onConnection,
  onFiguresAsked,
  onPrimaryLost,
  type PrimaryCommand,
  receiveAssignment,
  sendToPrimary,
} from "./messages";
export { openProbe, startBackground } from "./background";
export { createWorkerPool, type WorkerPool } from "./pool";
export { findDatabase, openConnections, openDatabaseServer } from "./open-database";
export { createStopSignals } from "./stop-signals";
