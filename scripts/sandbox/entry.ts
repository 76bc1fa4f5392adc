/** What scripts that are not TypeScript use of the sandbox. */
export { createBuyer } from "./buyer";
export { startControl } from "./control";
export { startSandbox } from "./sandbox";
