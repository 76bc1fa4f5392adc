import type { CollectedSignal } from "@/lib/contract/signal-lists";

import { readAutomation } from "./automation";
import { readCanvas } from "./canvas";
import { readEngine } from "./engine";
import { readFeatures } from "./features";
import { readFonts } from "./fonts";
import { readIframe } from "./iframe";
import { readLocale } from "./locale";
import { readMath } from "./math";
import { readNavigator } from "./navigator";
import { readPage } from "./page";
import { readScreen } from "./screen";
import { readStorage } from "./storage";
import { readTimezone } from "./timezone";
import { readUaData } from "./ua-data";
import { readWebgl } from "./webgl";
import { readWorker } from "./worker";

/**
 * Every signal, in the order in which they start. Those that wait for the browser come first and run beside the rest;
 * then the quick ones; the costly ones last, so that a slow graphics driver delays no other.
 */
export const REGISTRY = {
  worker: readWorker,
  uaData: readUaData,
  navigator: readNavigator,
  page: readPage,
  engine: readEngine,
  features: readFeatures,
  screen: readScreen,
  timezone: readTimezone,
  locale: readLocale,
  math: readMath,
  storage: readStorage,
  automation: readAutomation,
  webgl: readWebgl,
  canvas: readCanvas,
  iframe: readIframe,
  fonts: readFonts,
} satisfies Record<CollectedSignal, () => unknown>;
