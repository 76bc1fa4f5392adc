export { publishProbeServer } from "./probe-server";
export { issueProbe, purgeSightings, readSighting } from "./read-sighting";
export { type Probe, startProbe } from "./start-probe";
