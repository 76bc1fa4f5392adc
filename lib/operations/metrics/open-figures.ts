import { type Figures, loadRegistry, publishRecorder } from "@/lib/platform/metrics";
import { watchProcess } from "./process-figures";
import { createDatabaseFigures, type FigureSources } from "./database-figures";

export type FiguresOfProcess = {
  /** The figures of this process so far. */
  read: () => Figures;
  /** Renders the figures of all processes and the database as text. `others` reads those of other processes. */
  renderAll: (sources: FigureSources, others?: () => Promise<readonly Figures[]>) => () => Promise<string>;
};

/** Starts collecting metrics in this process. */
export async function openFigures(operations: Iterable<string>): Promise<FiguresOfProcess> {
  const { createRegistry, renderFigures } = await loadRegistry();
  const registry = createRegistry(operations);
  publishRecorder(registry.recorder);
  const setProcess = watchProcess(registry.recorder);
  const read = () => {
    setProcess();
    return registry.read();
  };
  return {
    read,
    renderAll(sources, others = () => Promise.resolve([])) {
      const setDatabase = createDatabaseFigures(registry.recorder, sources);
      return async () => {
        const [figures] = await Promise.all([others(), setDatabase()]);
        return renderFigures([read(), ...figures]);
      };
    },
  };
}
