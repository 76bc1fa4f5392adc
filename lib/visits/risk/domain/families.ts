export const BROWSER_FAMILIES = [
  "chrome",
  "chromium",
  "headless-chrome",
  "edge",
  "opera",
  "brave",
  "vivaldi",
  "yandex",
  "samsung-internet",
  "duckduckgo",
  "uc-browser",
  "huawei-browser",
  "miui-browser",
  "whale",
  "android-webview",
  "electron",
  "qtwebengine",
  "firefox",
  "safari",
  "ios-webview",
  "webkitgtk",
  "internet-explorer",
  "unknown",
] as const;
export type BrowserFamily = (typeof BROWSER_FAMILIES)[number];

export const OPERATING_SYSTEM_FAMILIES = [
  "windows",
  "macos",
  "ios",
  "android",
  "chromeos",
  "linux",
  "unknown",
] as const;
export type OperatingSystemFamily = (typeof OPERATING_SYSTEM_FAMILIES)[number];

/**
 * Browsers built on a web view, whose embedder controls the user agent. Android's web view drops client hints if that
 * is changed.
 */
export const EMBEDDED_FAMILIES: readonly BrowserFamily[] = [
  "android-webview",
  "qtwebengine",
  "electron",
  "duckduckgo",
  "uc-browser",
  "huawei-browser",
  "miui-browser",
];

export type EngineFamily = "blink" | "gecko" | "webkit" | "unknown";

/** Names as shown in the Report. */
export const BROWSER_NAMES: Record<Exclude<BrowserFamily, "unknown">, string> = {
  chrome: "Chrome",
  chromium: "Chromium",
  "headless-chrome": "Headless Chrome",
  edge: "Edge",
  opera: "Opera",
  brave: "Brave",
  vivaldi: "Vivaldi",
  yandex: "Yandex Browser",
  "samsung-internet": "Samsung Internet",
  duckduckgo: "DuckDuckGo",
  "uc-browser": "UC Browser",
  "huawei-browser": "Huawei Browser",
  "miui-browser": "Mi Browser",
  whale: "Whale",
  "android-webview": "Android WebView",
  electron: "Electron",
  qtwebengine: "QtWebEngine",
  firefox: "Firefox",
  safari: "Safari",
  "ios-webview": "iOS WebView",
  webkitgtk: "WebKitGTK",
  "internet-explorer": "Internet Explorer",
};

export const OPERATING_SYSTEM_NAMES: Record<Exclude<OperatingSystemFamily, "unknown">, string> = {
  windows: "Windows",
  macos: "macOS",
  ios: "iOS",
  android: "Android",
  chromeos: "ChromeOS",
  linux: "Linux",
};

export type BrowserIdentity = {
  family: BrowserFamily;
  name?: string;
  version?: string;
  majorVersion?: number;
  /** The engine claimed by the user agent, which may differ from the observed one. */
  engine: EngineFamily;
  /** Major version of the underlying Chromium, if reported. */
  chromiumMajorVersion?: number;
};

export type OperatingSystemIdentity = { family: OperatingSystemFamily; name?: string; version?: string };
