/** Six colours by role, from the darkest to the lightest, with one that stands out. */
export interface Palette {
  readonly ink: string
  readonly deep: string
  readonly mid: string
  readonly soft: string
  readonly accent: string
  readonly paper: string
}

const palette = (ink: string, deep: string, mid: string, soft: string, accent: string, paper: string): Palette => ({
  ink: `#${ink}`,
  deep: `#${deep}`,
  mid: `#${mid}`,
  soft: `#${soft}`,
  accent: `#${accent}`,
  paper: `#${paper}`,
})

export const PALETTES = {
  ember: palette('1a1423', '45203f', 'b5445a', 'f39a6b', 'ffd27a', 'fff1d6'),
  fjord: palette('0b1c2c', '15405c', '3d7f98', '9cc9cf', 'f2b84b', 'f1f5ee'),
  tidepool: palette('06202a', '0e4a53', '2a8c82', '8fd0b5', 'ff8a5b', 'f4f1de'),
  plum: palette('1c0f2b', '442255', '8a4f8f', 'd99bb6', 'f6c667', 'fbeee6'),
  forest: palette('10201a', '1f4032', '4f7a56', 'a9c08b', 'e8833a', 'f3eedb'),
  primary: palette('1b1b1e', '24478f', 'd8352a', 'f2b632', '1f9e89', 'f3ead7'),
  noir: palette('0c0d10', '24262c', '5c6068', 'b9bcc2', 'e5383b', 'f2f0eb'),
  sahara: palette('2b1710', '6e3420', 'c26a3a', 'edb878', '2c8c99', 'fbeed3'),
  glacier: palette('0f2036', '2a5480', '6fa8cc', 'cfe5ee', 'ef6f6c', 'f7fbfb'),
  neon: palette('0d0628', '2f1166', '7a1fa2', 'f0478f', '37e2d5', 'fdf0ff'),
  citrus: palette('233016', '55702a', 'a6b93a', 'f4d95b', 'ee6c3b', 'fffbe3'),
  blossom: palette('2d1b2e', '7a3b5d', 'd9799c', 'f6bfc6', '5fa8a3', 'fff3ef'),
  harbor: palette('101820', '223a4e', '4c6a80', 'a8b8bf', 'f05d3c', 'f0ece2'),
  midnight: palette('070b1d', '131d45', '31418a', '8497d6', 'ffd166', 'eef0fb'),
  clay: palette('281a17', '5c3a33', 'a9695a', 'dba58f', '4f8a8b', 'f8efe7'),
  matcha: palette('1d2a20', '3d5a40', '7d9a68', 'c4d2a0', 'b7472a', 'f7f5e6'),
  hanji: palette('22201d', '5a5145', '9c8d76', 'd9cdb4', 'c1272d', 'f6efdf'),
  cobalt: palette('0a1433', '1737a5', '3d6bf5', 'a9c4ff', 'ffb000', 'f5f7ff'),
  peach: palette('3a1f2b', '8d3b4a', 'ef7d68', 'fbc2a0', '3c6e71', 'fff4ea'),
  mint: palette('0f2a2e', '1c5d5f', '4fb3a5', 'b5e2d3', 'f4716a', 'f4fbf7'),
} as const satisfies Record<string, Palette>

export type PaletteName = keyof typeof PALETTES
