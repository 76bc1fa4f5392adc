import type { Rule } from "../rule";
import { clientHintsMissing } from "./client-hints-missing";
import { consoleWatched } from "./console-watched";
import { environmentFrameWindow } from "./environment-frame-window";
import { environmentGraphics } from "./environment-graphics";
import { environmentLanguages } from "./environment-languages";
import { environmentMembers } from "./environment-members";
import { environmentRealms } from "./environment-realms";
import { environmentTimeZone } from "./environment-time-zone";
import { environmentTouch } from "./environment-touch";
import { environmentValues } from "./environment-values";
import { environmentWindow } from "./environment-window";
import { groupsMissing } from "./groups-missing";
import { groupsTimedOut } from "./groups-timed-out";
import { headlessToken } from "./headless-token";
import { identityBrands } from "./identity-brands";
import { identityEngine } from "./identity-engine";
import { identityForeignMembers } from "./identity-foreign-members";
import { identityRealms } from "./identity-realms";
import { identityRequestHeaders } from "./identity-request-headers";
import { identityRequestName } from "./identity-request-name";
import { identityRequestText } from "./identity-request-text";
import { identityUnnamed } from "./identity-unnamed";
import { identityUserAgentText } from "./identity-user-agent-text";
import { identityVendor } from "./identity-vendor";
import { identityVersionList } from "./identity-version-list";
import { navigatorMissing } from "./navigator-missing";
import { noPointer } from "./no-pointer";
import { programName } from "./program-name";
import { rootAttributes } from "./root-attributes";
import { systemClientHints } from "./system-client-hints";
import { systemDesktopInterfaces } from "./system-desktop-interfaces";
import { systemFonts } from "./system-fonts";
import { systemFormFactor } from "./system-form-factor";
import { systemGraphics } from "./system-graphics";
import { systemPlatform } from "./system-platform";
import { systemRealms } from "./system-realms";
import { toolGlobals } from "./tool-globals";
import { valuesMissing } from "./values-missing";
import { versionBrandList } from "./version-brand-list";
import { versionClientHints } from "./version-client-hints";
import { versionFeatures } from "./version-features";
import { versionFuture } from "./version-future";
import { versionRealms } from "./version-realms";
import { webdriverFlag } from "./webdriver-flag";
import { webdriverRemoved } from "./webdriver-removed";

/**
 * All rules in the order in which evidence is shown: by reason in the contract's order, and within a reason by strength
 * of proof. The order never affects a verdict, which is a maximum.
 */
export const RULES: readonly Rule[] = [
  versionClientHints,
  versionRealms,
  versionFeatures,
  versionBrandList,
  versionFuture,
  identityEngine,
  identityRealms,
  identityBrands,
  identityVersionList,
  identityUnnamed,
  identityRequestName,
  identityRequestHeaders,
  identityRequestText,
  identityUserAgentText,
  identityVendor,
  identityForeignMembers,
  systemPlatform,
  systemClientHints,
  systemFormFactor,
  systemRealms,
  systemGraphics,
  systemFonts,
  systemDesktopInterfaces,
  webdriverFlag,
  headlessToken,
  toolGlobals,
  rootAttributes,
  programName,
  noPointer,
  consoleWatched,
  webdriverRemoved,
  environmentRealms,
  environmentGraphics,
  environmentFrameWindow,
  environmentWindow,
  environmentValues,
  environmentMembers,
  environmentTimeZone,
  environmentLanguages,
  environmentTouch,
  navigatorMissing,
  groupsMissing,
  valuesMissing,
  clientHintsMissing,
  groupsTimedOut,
];
