import type { ImprintClient, ImprintOptions, ImprintResult } from "./api";
import { checkOptions, checkSurface, parseOptions, type Config } from "./config";
import { createError, isImprintError } from "./error";
import { within } from "./read";
import { performRun } from "./run";

const aborted = () => createError("aborted", "Aborted.");

/** One run, once it is allowed, under the total time-out of `config`. */
const runInTime = async (config: Config, surface: string): Promise<ImprintResult> => {
  if ((await config.consent().catch(() => 0)) !== true) throw createError("consent_missing", "consent: not given.");
  const controller = new AbortController();
  const result = await within(() => performRun(config, surface, controller.signal), config.timeoutMs);
  if (result) return result;
  controller.abort();
  throw createError("timeout", `No imprint in ${config.timeoutMs} ms`);
};

/** The same outcome as `flight`, or `aborted` as soon as `signal` says so; `flight` itself goes on. */
const waitFor = (flight: Promise<ImprintResult>, signal: AbortSignal | undefined) =>
  Promise.race([
    flight,
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener("abort", () => {
        reject(aborted());
      });
    }),
  ]);

/**
 * Makes `createImprint` for one way of loading the component.
 *
 * @param defaultEndpoint where the file came from, when it knows that
 * @param pageAddress what an endpoint that is a path is relative to
 */
export const createImprintFor =
  (defaultEndpoint?: string, pageAddress?: string) =>
  (options: ImprintOptions): ImprintClient => {
    const config = parseOptions(options, defaultEndpoint, pageAddress);
    const flights = new Map<string, Promise<ImprintResult>>();
    return {
      run: async (runOptions) => {
        const { surface = "default", signal } = checkOptions(runOptions, ["surface", "signal"]);
        checkSurface(surface);
        if (signal?.aborted) throw aborted();
        let flight = flights.get(surface);
        if (!flight) {
          flight = runInTime(config, surface)
            .catch((error: unknown) => {
              // What the page has replaced in the browser, and the component needs, no longer works.
              throw isImprintError(error) ? error : createError("invalid_config", String(error));
            })
            .finally(() => flights.delete(surface));
          flights.set(surface, flight);
        }
        return { ...(await waitFor(flight, signal)) };
      },
    };
  };
