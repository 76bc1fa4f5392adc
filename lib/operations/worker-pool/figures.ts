import { type Figures, loadRegistry } from "@/lib/platform/metrics";
import type { PoolWorker } from "./worker";

/** A worker that does not answer in this time is counted with its last figures. */
const ANSWER_MS = 1_000;

/** Collects the figures of running and of exited workers. */
export function createFiguresOfWorkers(workers: ReadonlySet<PoolWorker>) {
  let ended: Promise<Figures> = Promise.resolve([]);

  async function addTo(before: Promise<Figures>, figures: Figures): Promise<Figures> {
    const { addEnded } = await loadRegistry();
    return addEnded(await before, figures);
  }

  return {
    /** Keeps a worker's last figures in the totals after it exits. */
    follow(worker: PoolWorker): PoolWorker {
      void worker.exited.then(() => {
        const figures = worker.lastFigures();
        if (figures.length > 0) ended = addTo(ended, figures);
      });
      return worker;
    },
    readAll: async (): Promise<Figures[]> => {
      const running = await Promise.all([...workers].map((worker) => worker.readFigures(ANSWER_MS)));
      return [await ended, ...running];
    },
  };
}
