export { countActivity, type DeviceVisit, recordDeviceVisit } from "./queries";
export { issueDeviceToken, readDeviceToken } from "./token";
