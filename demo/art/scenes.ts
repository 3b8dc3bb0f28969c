import { arches, cinema, roofs, skyline } from './scenes/city.ts'
import { contours, dunes, ridges, road, window } from './scenes/land.ts'
import { bowl, brush, notebook, record } from './scenes/making.ts'
import type { Scene } from './scenes/scene.ts'
import { chart, code, timeline } from './scenes/screens.ts'
import { botanical, letterform, portrait, stillLife, tiles } from './scenes/shapes.ts'
import { lanterns, lighthouse, orbit, paperCut, waves } from './scenes/water-and-sky.ts'

export const SCENES = {
  arches,
  botanical,
  bowl,
  brush,
  chart,
  cinema,
  code,
  contours,
  dunes,
  lanterns,
  letterA: letterform('a'),
  letterAnd: letterform('&amp;', 'EB Garamond', 400),
  letterR: letterform('R', 'Lato'),
  letterHan: letterform('글', 'NanumMyeongjo', 800, 104),
  letterGa: letterform('가', 'NanumSquare', 800, 112),
  lighthouse,
  notebook,
  orbit,
  paperCut,
  portrait,
  record,
  ridges,
  road,
  roofs,
  skyline,
  stillLife,
  tiles,
  timeline,
  waves,
  window,
} as const satisfies Record<string, Scene>

export type SceneName = keyof typeof SCENES
