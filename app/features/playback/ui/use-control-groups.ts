import { useLingui } from '@lingui/react/macro'
import { formatDuration } from '#contract/dates.ts'
import { langOf } from '~/platform/i18n/locales'
import { chapterAt } from '../chapters'
import { automaticLevel } from '../engine'
import { speeds } from '../preferences'
import type { ChoiceGroup } from './player-menu'
import type { PlayerControls } from './use-player'

/** Captions with the way to their looks, and the sound where there is more than one. */
export function useCaptionGroups(player: PlayerControls): ChoiceGroup[] {
  const { t } = useLingui()
  const { stream, captions, chooseCaptions, sounds, playingSound, chooseSound, setSheet } = player
  const groups: ChoiceGroup[] = []
  if (stream && stream.captions.length > 0) {
    groups.push({
      label: t`Captions`,
      value: captions ?? 'off',
      choices: [
        { value: 'off', label: t`Off` },
        ...stream.captions.map(({ language, label }) => ({ value: language, label, lang: language })),
      ],
      onChoose: (value) => chooseCaptions(value === 'off' ? null : value),
      more: { label: t`Caption style`, onChoose: () => setSheet('caption style') },
    })
  }
  if (sounds.length > 1) {
    groups.push({
      label: t`Audio`,
      value: String(playingSound),
      choices: sounds.map(({ index, label, language }) => ({ value: String(index), label, lang: language })),
      onChoose: (value) => chooseSound(Number(value)),
    })
  }
  return groups
}

export function useChapterGroup({ stream, seek }: PlayerControls, seconds: number): ChoiceGroup | undefined {
  const { t } = useLingui()
  if (!stream || stream.chapters.length < 2) return undefined
  return {
    label: t`Chapters`,
    value: String(chapterAt(stream.chapters, seconds)?.startSeconds ?? ''),
    choices: stream.chapters.map((chapter) => ({
      value: String(chapter.startSeconds),
      label: chapter.title,
      lang: langOf(chapter, 'title'),
      note: formatDuration(chapter.startSeconds),
    })),
    onChoose: (value) => seek(Number(value)),
  }
}

/** Quality, where there is a choice, and speed. */
export function useSettingGroups(player: PlayerControls): ChoiceGroup[] {
  const { t } = useLingui()
  const { levels, playingLevel, chosenLevel, chooseQuality, media, setSpeed } = player
  const playing = levels.find(({ index }) => index === playingLevel)?.height
  const speed: ChoiceGroup = {
    label: t`Speed`,
    value: String(media.speed),
    choices: speeds.map((value) => ({ value: String(value), label: value === 1 ? t`Normal` : `${value}×` })),
    onChoose: (value) => {
      const chosen = speeds.find((one) => String(one) === value)
      if (chosen) setSpeed(chosen)
    },
  }
  if (levels.length < 2) return [speed]
  const automatic = playing && chosenLevel === automaticLevel ? t`Auto (${playing}p)` : t`Auto`
  const quality: ChoiceGroup = {
    label: t`Quality`,
    value: String(chosenLevel),
    choices: [
      { value: String(automaticLevel), label: automatic },
      ...levels.map(({ index, height }) => ({ value: String(index), label: `${height}p` })),
    ],
    onChoose: (value) => chooseQuality(Number(value)),
  }
  return [quality, speed]
}
