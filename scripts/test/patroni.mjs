import { findProgram, onPath } from "./find-program.mjs";

/** What replaces a primary that died: PATRONI, or that of the system. */
export const findPatroni = () =>
  findProgram({
    title: "Patroni",
    purpose: "A failover of the database",
    variable: "PATRONI",
    debianPackage: "patroni",
    elsewhere: "pipx install patroni[etcd3,psycopg2-binary]",
    candidates: () => [...onPath(["patroni"]), "/usr/bin/patroni"],
  });

/** Where Patroni keeps who is the primary: ETCD, or that of the system. */
export const findEtcd = () =>
  findProgram({
    title: "etcd",
    purpose: "A failover of the database",
    variable: "ETCD",
    debianPackage: "etcd-server",
    elsewhere: "brew install etcd",
    candidates: () => [...onPath(["etcd"]), "/usr/bin/etcd"],
  });
