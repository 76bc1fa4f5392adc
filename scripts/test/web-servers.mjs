import { findProgram, onPath } from "./find-program.mjs";

const purpose = "A test of the recipes for proxies";

/** The web servers of the recipes: NGINX, CADDY and APACHE, else the system's. */
export const findNginx = () =>
  findProgram({
    title: "nginx",
    purpose,
    variable: "NGINX",
    debianPackage: "nginx",
    elsewhere: "brew install nginx",
    candidates: () => [...onPath(["nginx"]), "/usr/sbin/nginx"],
    versionArgument: "-v",
  });

export const findCaddy = () =>
  findProgram({
    title: "Caddy",
    purpose,
    variable: "CADDY",
    debianPackage: "caddy",
    elsewhere: "brew install caddy",
    candidates: () => onPath(["caddy"]),
    versionArgument: "version",
  });

export const findApache = () =>
  findProgram({
    title: "Apache",
    purpose,
    variable: "APACHE",
    debianPackage: "apache2",
    elsewhere: "brew install httpd",
    candidates: () => [...onPath(["apache2", "httpd"]), "/usr/sbin/apache2"],
    versionArgument: "-v",
  });
