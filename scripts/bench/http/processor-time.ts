import { processes, treeOf } from "../../common/proc";

const isDatabase = ({ name }: { name: string }) => name === "postgres";
const sumOf = (measured: readonly { micros: number }[]) => measured.reduce((sum, { micros }) => sum + micros, 0);

/**
 * CPU time (user and system) in microseconds used so far by a process and its descendants, excluding the database
 * server that a service with an embedded one has as a descendant. Undefined without /proc.
 */
export function processorMicros(root: number): number | undefined {
  const tree = treeOf(root, (process) => !isDatabase(process));
  return tree.length === 0 ? undefined : sumOf(tree);
}

/** The same for all database servers on the machine; there is only one while the benchmark runs. */
export const databaseMicros = (): number => sumOf(processes().filter(isDatabase));
