import { findProgram, onPath } from "./find-program.mjs";

/** The failover manager: PATRONI, else the system's. */
export const findPatroni = () =>
  findProgram({
    title: "Patroni",
    purpose: "A failover of the database",
    variable: "PATRONI",
    debianPackage: "patroni",
    elsewhere: "pipx install patroni[etcd3,psycopg2-binary]",
    candidates: () => [...onPath(["patroni"]), "/usr/bin/patroni"],
  });

/** Patroni's configuration store, which records the current primary: ETCD, else the system's. */
export const findEtcd = () =>
  findProgram({
    title: "etcd",
    purpose: "A failover of the database",
    variable: "ETCD",
    debianPackage: "etcd-server",
    elsewhere: "brew install etcd",
    candidates: () => [...onPath(["etcd"]), "/usr/bin/etcd"],
  });
