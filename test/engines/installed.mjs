// Which other engines this machine has, and what is missing for the rest.
import { existsSync } from 'node:fs';

const found = (...paths) => paths.find((path) => path !== undefined && existsSync(path));

const firefox = found(process.env.FIREFOX, '/usr/bin/firefox-esr', '/usr/bin/firefox');
const webKitDriver = found('/usr/bin/WebKitWebDriver');
const xvfb = found('/usr/bin/Xvfb');
const hasDisplay = process.env.DISPLAY !== undefined || process.env.WAYLAND_DISPLAY !== undefined;

/** Where things are, and in `missing` what an engine lacks, null when nothing; `packages` are Debian's names. */
export const installed = {
  firefox: {
    program: firefox,
    packages: ['firefox-esr'],
    missing:
      firefox === undefined
        ? 'There is no Firefox here (apt-get install firefox-esr), and FIREFOX names none.'
        : null,
  },
  webkitgtk: {
    program: webKitDriver,
    xvfb: hasDisplay ? undefined : xvfb,
    packages: ['webkit2gtk-driver', 'xvfb'],
    missing:
      webKitDriver === undefined
        ? 'There is no WebKitWebDriver here (apt-get install webkit2gtk-driver).'
        : hasDisplay || xvfb !== undefined
          ? null
          : 'There is neither a display here nor Xvfb (apt-get install xvfb).',
  },
};
