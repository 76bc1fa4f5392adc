export { countPopulations } from "./count-populations";
export { deleteDevice } from "./delete-device";
export { purgeDeviceClaims } from "./purge-device-claims";
export { countActivity, type DeviceVisit, recordDeviceVisit } from "./queries";
export { readDevice, type DeviceView } from "./read-device";
export { readShadow } from "./read-shadow";
export { recogniseDevice } from "./recognise-device";
export { type IdentityRecord } from "./recognition";
export { issueDeviceToken, readDeviceToken } from "./token";
