import { findProgram, onPath } from "./find-program.mjs";

const NAMES = ["firefox-esr", "firefox"];
const MAC_APPLICATION = "/Applications/Firefox.app/Contents/MacOS/firefox";

/** The second browser for the identity tests: FIREFOX, else one installed on the system. */
export const findFirefox = () =>
  findProgram({
    title: "Firefox",
    purpose: "A test of device identity",
    variable: "FIREFOX",
    debianPackage: "firefox-esr",
    elsewhere: "brew install --cask firefox",
    candidates: () => [...onPath(NAMES), MAC_APPLICATION],
  });
