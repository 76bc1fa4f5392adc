/**
 * Types of the automation tools, as far as the bench uses them. The packages are installed by the bench rather than the
 * product, so their own types are not available when the product is type-checked.
 */
import type { Browser, BrowserType, LaunchOptions } from "playwright-core";

type LaunchSettings = Readonly<Record<string, unknown>>;

export type PuppeteerPage = {
  goto: (url: string, options?: { timeout: number }) => Promise<unknown>;
  emulate: (device: unknown) => Promise<void>;
  setUserAgent: (userAgent: string, metadata?: unknown) => Promise<void>;
  evaluateOnNewDocument: (script: string) => Promise<unknown>;
};
type PuppeteerBrowser = {
  pages: () => Promise<PuppeteerPage[]>;
  newPage: () => Promise<PuppeteerPage>;
  close: () => Promise<void>;
};
type Puppeteer = { launch: (options: LaunchSettings) => Promise<PuppeteerBrowser> };

type Playwright = {
  devices: Readonly<Record<string, object>>;
  chromium: Pick<BrowserType, "launchPersistentContext"> & PlaywrightLauncher;
};
type PlaywrightLauncher = { launch: (options: LaunchOptions) => Promise<Browser> };

type Plugin = { addExtra: <L>(launcher: L) => L & { use: (plugin: unknown) => void } };

type DevToolsSocket = {
  once: (event: "open" | "error", listener: (error?: Error) => void) => DevToolsSocket;
  send: (text: string) => void;
};

type ChromeOptions = {
  setChromeBinaryPath: (file: string) => void;
  addArguments: (...args: string[]) => void;
  excludeSwitches: (name: string) => void;
};
type ChromeService = { setEnvironment: (env: NodeJS.ProcessEnv) => ChromeService };
type Driver = { get: (url: string) => Promise<void>; quit: () => Promise<void> };
type Builder = {
  forBrowser: (name: string) => Builder;
  setChromeOptions: (options: ChromeOptions) => Builder;
  setChromeService: (service: ChromeService) => Builder;
  build: () => Promise<Driver>;
};

export type ToolModules = {
  "puppeteer-core": { default: Puppeteer; KnownDevices: Readonly<Record<string, unknown>> };
  "rebrowser-puppeteer-core": { default: Puppeteer };
  "puppeteer-extra": { default: Plugin };
  "puppeteer-extra-plugin-stealth": { default: () => unknown };
  "playwright-core": { default: Playwright };
  "patchright-core": { default: Playwright };
  "rebrowser-playwright-core": { default: Playwright };
  "playwright-extra": { default: Plugin };
  "selenium-webdriver": { default: { Builder: new () => Builder } };
  "selenium-webdriver/chrome.js": {
    default: { Options: new () => ChromeOptions; ServiceBuilder: new (file: string) => ChromeService };
  };
  ws: { default: new (url: string) => DevToolsSocket };
};
