export { publishProbeServer } from "./probe-server";
export { issueProbe, purgeProbeObservations, readProbedAddress } from "./probe-observations";
export { type Probe, startProbe } from "./start-probe";
