import { findProgram, onPath } from "./find-program.mjs";

/** The load balancer for rolling restarts: HAPROXY, else the system's. */
export const findHaproxy = () =>
  findProgram({
    title: "HAProxy",
    purpose: "A rolling restart behind a load balancer",
    variable: "HAPROXY",
    debianPackage: "haproxy",
    elsewhere: "brew install haproxy",
    candidates: () => [...onPath(["haproxy"]), "/usr/sbin/haproxy"],
    versionArgument: "-v",
  });
