import path from "node:path";

import { findProgram } from "./find-program.mjs";

const NAMES = ["firefox-esr", "firefox"];
const MAC_APPLICATION = "/Applications/Firefox.app/Contents/MacOS/firefox";

const fromPath = () =>
  (process.env.PATH ?? "").split(path.delimiter).flatMap((folder) => NAMES.map((name) => path.join(folder, name)));

/** The second browser for the tests of identity: FIREFOX, or one of the system. */
export const findFirefox = () =>
  findProgram({
    title: "Firefox",
    purpose: "A test of device identity",
    variable: "FIREFOX",
    debianPackage: "firefox-esr",
    elsewhere: "brew install --cask firefox",
    candidates: () => [...fromPath(), MAC_APPLICATION],
  });
