import type { OidcProviderOptions } from '@carnet/accounts';
import { apple } from './apple.ts';
import { discord } from './discord.ts';
import { facebook } from './facebook.ts';
import { generic, gitlab } from './generic.ts';
import { github } from './github.ts';
import { google } from './google.ts';
import { linkedin } from './linkedin.ts';
import { microsoft } from './microsoft.ts';
import type { Preset } from './preset.ts';

const presets = {
  ...{ google, microsoft, apple, github, gitlab, facebook },
  ...{ linkedin, discord },
} as const satisfies Record<string, Preset>;

export const presetOf = ({ preset }: Pick<OidcProviderOptions, 'preset'>): Preset =>
  preset === undefined ? generic : presets[preset];
