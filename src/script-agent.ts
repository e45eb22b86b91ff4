// The scripted agent: a real process that plays one session of a script and nothing else.

import { playSession } from "./drivers/script-player.ts";

void playSession();
