export type { Job } from "./job";
export { JOB_GROUPS, JOBS } from "./jobs";
export { listJobStates } from "./list-job-states";
export { runDueJob } from "./run-due-job";
export { startJobGroups, startWorkers } from "./start-workers";
