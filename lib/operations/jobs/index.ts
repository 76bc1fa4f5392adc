export type { Job, JobRun } from "./job";
export { JOBS, SLOW_JOBS } from "./jobs";
export { listJobRows as listJobStates } from "./queries";
export { runDueJob } from "./run-due-job";
export { startWorkers } from "./start-workers";
