import { poster } from '../art/poster.ts'
import type { SceneName } from '../art/scenes.ts'
import type { DemoBanner, DemoProduct, DemoTenant, VideoName } from '../content/model/types.ts'

/**
 * One picture to be made: where it goes, what is on it, in which widths, and how heavy each may be.
 */
export interface PictureOrder {
  /** `aurora/the-last-light/tall`: its name in the index, and its file below `demo/media/art`. */
  readonly name: string
  readonly svg: string
  readonly widths: readonly (readonly [width: number, maxBytes: number])[]
}

const kB = 1024

/** Scenes that show a course's title themselves; other scenes are drawn beside it. */
const OVER: ReadonlySet<SceneName> = new Set([
  'ridges',
  'waves',
  'skyline',
  'lanterns',
  'orbit',
  'lighthouse',
  'road',
  'brush',
  'window',
  'paperCut',
  'dunes',
])

/** What each clip shows. */
const CLIP_SCENES: Readonly<Record<VideoName, SceneName>> = {
  ridgeline: 'ridges',
  tide: 'waves',
  skyline: 'skyline',
  lanterns: 'lanterns',
  bauhaus: 'tiles',
  orbit: 'orbit',
  'lesson-brush': 'brush',
  'lesson-chart': 'chart',
  'lesson-code': 'code',
}

/** Stills show a film's own scene, or the scene of a course's lesson. */
function stillScene({ art, lessons = [], video, shape }: DemoProduct, index: number): SceneName {
  const lesson = lessons[index % Math.max(1, lessons.length)]
  if (lesson) return CLIP_SCENES[lesson.video]
  return shape === 'COURSE' && video ? CLIP_SCENES[video] : art.scene
}

function productPictures(tenant: string, product: DemoProduct): PictureOrder[] {
  const { art, title, shape, hero, gallery = 0 } = product
  const name = `${tenant}/${product.code}`
  const layout = shape === 'FILM' ? 'bare' : OVER.has(art.scene) && art.seed % 3 !== 2 ? 'over' : 'panel'
  const stills = Array.from({ length: gallery }, (_, index) => ({
    name: `${name}-${index + 1}`,
    svg: poster(
      { ...art, scene: stillScene(product, index), seed: art.seed + 1000 * (index + 1) },
      title,
      1280,
      720,
      'bare',
    ),
    widths: [[640, 14 * kB] as const],
  }))
  return [
    {
      name,
      svg: poster(art, title, 1280, 720, layout),
      widths: hero
        ? [
            [640, 20 * kB],
            [1280, 40 * kB],
          ]
        : [[640, 20 * kB]],
    },
    ...(shape === 'FILM'
      ? [{ name: `${name}-tall`, svg: poster(art, title, 800, 1200, 'over'), widths: [[400, 22 * kB] as const] }]
      : []),
    ...stills,
  ]
}

/** The widths of a banner's picture by its kind; null where a banner has none. */
const BANNER_SHAPES = {
  MAIN_SLIDER_BANNER: { wide: [1600, 700], narrow: [750, 900] },
  BANNER: { wide: [1440, 420], narrow: [750, 520] },
  GRID: { wide: [640, 400], narrow: null },
  HEADER_BANNER: null,
  CUSTOM: null,
  NONE: null,
} as const

function bannerPictures(tenant: string, banner: DemoBanner, index: number): PictureOrder[] {
  const shapes = BANNER_SHAPES[banner.type]
  if (!banner.art || !shapes) return []
  const art = { ...banner.art, titleStyle: 'airy' as const }
  return (['wide', 'narrow'] as const).flatMap((side) => {
    const shape = shapes[side]
    if (!shape) return []
    const [width, height] = shape
    return [
      {
        name: `${tenant}/banner-${index}-${side}`,
        svg: poster(art, banner.title, width, height, 'bare'),
        widths: [[width, 46 * kB] as const],
      },
    ]
  })
}

/** Every picture of a tenant. */
export const picturesOf = (tenant: DemoTenant): PictureOrder[] => [
  ...tenant.products.flatMap((product) => productPictures(tenant.code, product)),
  ...tenant.banners.flatMap((banner, index) => bannerPictures(tenant.code, banner, index)),
]
