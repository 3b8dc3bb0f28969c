import { cues as bauhausCues } from './captions/bauhaus.ts'
import type { Cue } from './captions/captions.ts'
import { cues as lanternsCues } from './captions/lanterns.ts'
import { cues as lessonBrushCues } from './captions/lesson-brush.ts'
import { cues as lessonChartCues } from './captions/lesson-chart.ts'
import { cues as lessonCodeCues } from './captions/lesson-code.ts'
import { cues as orbitCues } from './captions/orbit.ts'
import { cues as ridgelineCues } from './captions/ridgeline.ts'
import { cues as skylineCues } from './captions/skyline.ts'
import { cues as tideCues } from './captions/tide.ts'
import { bauhaus } from './scenes/bauhaus.ts'
import { lanterns } from './scenes/lanterns.ts'
import { lessonBrush } from './scenes/lesson-brush.ts'
import { lessonChart } from './scenes/lesson-chart.ts'
import { lessonCode } from './scenes/lesson-code.ts'
import { orbit } from './scenes/orbit.ts'
import { ridgeline } from './scenes/ridgeline.ts'
import type { Scene } from './scenes/scene.ts'
import { skyline } from './scenes/skyline.ts'
import { tide } from './scenes/tide.ts'
import { SCORES } from './scores.ts'
import type { Score } from './sound.ts'

export interface Film {
  readonly id: string
  /** What the pictures show; products that use the film have titles of their own. */
  readonly title: string
  readonly scene: Scene
  readonly score: Score
  readonly cues: readonly Cue[]
  /**
   * Other music to the same pictures, by the language of its audience; `label` is in that language.
   */
  readonly otherSound?: { readonly language: string; readonly label: string; readonly score: Score }
  /** The rate factor of the encoder: lower is finer and larger. */
  readonly rateFactor: number
  /** The moment of the poster frame. */
  readonly posterSeconds: number
}

export const FILMS: readonly Film[] = [
  {
    id: 'ridgeline',
    title: 'Mountains at sundown',
    scene: ridgeline,
    score: SCORES.ridgeline,
    cues: ridgelineCues,
    rateFactor: 27,
    posterSeconds: 8,
  },
  {
    id: 'tide',
    title: 'A boat under the moon',
    scene: tide,
    score: SCORES.tide,
    cues: tideCues,
    rateFactor: 27,
    posterSeconds: 12,
  },
  {
    id: 'skyline',
    title: 'A city in the evening',
    scene: skyline,
    score: SCORES.skyline,
    otherSound: { language: 'ko', label: '가야금 편곡', score: SCORES['skyline-ko'] },
    cues: skylineCues,
    rateFactor: 32,
    posterSeconds: 10,
  },
  {
    id: 'lanterns',
    title: 'Festival of lanterns',
    scene: lanterns,
    score: SCORES.lanterns,
    cues: lanternsCues,
    rateFactor: 30,
    posterSeconds: 15,
  },
  {
    id: 'bauhaus',
    title: 'Turning tiles',
    scene: bauhaus,
    score: SCORES.bauhaus,
    cues: bauhausCues,
    rateFactor: 31,
    posterSeconds: 10.5,
  },
  {
    id: 'orbit',
    title: 'A ringed planet',
    scene: orbit,
    score: SCORES.orbit,
    cues: orbitCues,
    rateFactor: 28,
    posterSeconds: 14.5,
  },
  {
    id: 'lesson-chart',
    title: 'Lesson at the whiteboard: a chart',
    scene: lessonChart,
    score: SCORES['lesson-chart'],
    cues: lessonChartCues,
    rateFactor: 25,
    posterSeconds: 20.5,
  },
  {
    id: 'lesson-code',
    title: 'Lesson in an editor: a first function',
    scene: lessonCode,
    score: SCORES['lesson-code'],
    cues: lessonCodeCues,
    rateFactor: 27,
    posterSeconds: 21.5,
  },
  {
    id: 'lesson-brush',
    title: 'Lesson with the brush: bamboo',
    scene: lessonBrush,
    score: SCORES['lesson-brush'],
    cues: lessonBrushCues,
    rateFactor: 28,
    posterSeconds: 19,
  },
]
