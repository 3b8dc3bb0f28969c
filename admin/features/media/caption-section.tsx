import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useState } from 'react'
import type { StoreVideo } from '#contract/admin/videos.ts'
import { Button } from '~/ui/button'
import { Select } from '~/ui/select'
import { useAdminApi } from '../../platform/admin-api'
import { lazyPart } from '../../platform/lazy-part'
import { useMay } from '../../platform/session'
import { Section } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { CaptionDraft } from './caption-draft'
import { CaptionEditor } from './caption-editor'
import { useCaptionEdits } from './caption-edits'
import { type EditedCue, readCues } from './cues'
import type { AddedLanguage } from './language-dialog'
import { captionsQuery } from './videos.queries'

const LanguageDialog = lazyPart(async () => ({ default: (await import('./language-dialog')).LanguageDialog }))

interface OpenLanguageProps {
  video: StoreVideo
  language: string
  label: string
  first: readonly EditedCue[]
  isNew: boolean
  place: RefObject<HTMLVideoElement | null>
  /** Shows the captions beside the video. */
  onCues: (cues: readonly EditedCue[]) => void
  onReload: () => void
  onSaved: (video: StoreVideo) => void
  onRemoved: () => void
}

/** The editor of one language. It begins anew with another one. */
function OpenLanguage({ first, onCues, ...props }: OpenLanguageProps) {
  const edits = useCaptionEdits(first, { isNew: props.isNew })
  useEffect(() => onCues(edits.cues), [onCues, edits.cues])
  const { video, language } = props
  return (
    <>
      <CaptionDraft video={video} language={language} edits={edits} />
      <CaptionEditor {...props} edits={edits} />
    </>
  )
}

/** Loads the captions of a language and opens their editor. */
function StoredLanguage(props: Omit<OpenLanguageProps, 'first' | 'isNew'>) {
  const { video, language } = props
  const captions = useQuery(captionsQuery(useAdminApi(), video.id, language))
  const first = useMemo(
    () => captions.data && readCues(new TextEncoder().encode(captions.data.webVtt), language),
    [captions.data, language],
  )
  return <Loaded query={captions}>{() => first && <OpenLanguage {...props} first={first} isNew={false} />}</Loaded>
}

interface CaptionSectionProps {
  video: StoreVideo
  /** The language that the address names. */
  chosen: string | undefined
  cues: readonly EditedCue[]
  place: RefObject<HTMLVideoElement | null>
  onChoose: (language: string | undefined) => void
  onCues: (cues: readonly EditedCue[]) => void
}

/** The captions of a video by language. */
export function CaptionSection({ video, chosen, cues, place, onChoose, onCues }: CaptionSectionProps) {
  const { t } = useLingui()
  const queryClient = useQueryClient()
  const isAllowed = useMay()('videos:write')
  const [added, setAdded] = useState<AddedLanguage | null>(null)
  const [isAdding, setAdding] = useState(false)
  /** Counts how often the latest state was loaded in place of what was edited. */
  const [loads, setLoads] = useState(0)
  const track = video.captions.find(({ language }) => language === chosen) ?? video.captions[0]
  const open = added ?? track ?? null
  const shared = {
    video,
    place,
    onCues,
    onReload: () => {
      setAdded(null)
      setLoads(loads + 1)
    },
    onSaved: (saved: StoreVideo) => {
      // The editor goes on with what it has. The versions are loaded again.
      void queryClient.invalidateQueries({ queryKey: ['video', video.id, 'captions'] })
      if (!added) return
      // It is a stored language from now on.
      setAdded(null)
      onChoose(saved.captions.find(({ language }) => language.toLowerCase() === added.language.toLowerCase())?.language)
    },
    onRemoved: () => {
      onCues([])
      onChoose(undefined)
    },
  }
  return (
    <Section
      title={<Trans>Captions</Trans>}
      actions={
        isAllowed &&
        added === null && (
          <Button size="s" icon="plus" onClick={() => setAdding(true)}>
            <Trans>Add a language</Trans>
          </Button>
        )
      }
    >
      {!open && (
        <p>
          <Trans>There are no captions yet. They help viewers to follow, and the search finds their words.</Trans>
        </p>
      )}
      {video.captions.length > 1 && !added && (
        <Select
          label={t`Language`}
          value={track?.language}
          options={video.captions.map(({ language, label }) => ({ value: language, label }))}
          onChange={({ target }) => onChoose(target.value)}
        />
      )}
      {added ? (
        <OpenLanguage
          key={`new ${added.language}`}
          {...shared}
          language={added.language}
          label={added.label}
          first={added.cues}
          isNew
        />
      ) : (
        track && (
          <StoredLanguage
            key={`${track.language} ${loads}`}
            {...shared}
            language={track.language}
            label={track.label}
          />
        )
      )}
      {isAdding && (
        <LanguageDialog
          video={video}
          open={track ? { label: track.label, cues } : null}
          onClose={() => setAdding(false)}
          onAdd={(language) => {
            setAdded(language)
            setAdding(false)
          }}
        />
      )}
    </Section>
  )
}
