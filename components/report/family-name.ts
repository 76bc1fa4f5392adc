const NAMES: Partial<Record<string, string>> = {
  macos: "macOS",
  ios: "iOS",
  chromeos: "ChromeOS",
  duckduckgo: "DuckDuckGo",
  qtwebengine: "QtWebEngine",
  webkitgtk: "WebKitGTK",
  "uc-browser": "UC Browser",
  "android-webview": "Android WebView",
  "ios-webview": "iOS WebView",
};

/** Display name of a browser or system family: `headless-chrome` is `Headless Chrome`. */
export const familyName = (family: string): string =>
  NAMES[family] ??
  family
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(" ");
