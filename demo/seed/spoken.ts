import type { CaptionCues } from '#api/modules/catalog/captions.ts'
import type { VideoName } from '../content/model/types.ts'
import { cues as bauhaus } from '../film/captions/bauhaus.ts'
import type { Cue } from '../film/captions/captions.ts'
import { cues as lanterns } from '../film/captions/lanterns.ts'
import { cues as lessonBrush } from '../film/captions/lesson-brush.ts'
import { cues as lessonChart } from '../film/captions/lesson-chart.ts'
import { cues as lessonCode } from '../film/captions/lesson-code.ts'
import { cues as orbit } from '../film/captions/orbit.ts'
import { cues as ridgeline } from '../film/captions/ridgeline.ts'
import { cues as skyline } from '../film/captions/skyline.ts'
import { cues as tide } from '../film/captions/tide.ts'

const CUES: Record<VideoName, readonly Cue[]> = {
  ridgeline,
  tide,
  skyline,
  lanterns,
  bauhaus,
  orbit,
  'lesson-brush': lessonBrush,
  'lesson-chart': lessonChart,
  'lesson-code': lessonCode,
}

/** The spoken text of a clip, in both languages. */
export function spokenIn(name: VideoName): CaptionCues[] {
  return (['en', 'ko'] as const).map((language) => ({
    language,
    cues: CUES[name].map((cue) => ({ startSeconds: cue.start, endSeconds: cue.end, text: cue[language] })),
  }))
}
