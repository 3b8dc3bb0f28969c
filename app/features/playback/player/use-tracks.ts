import { useState } from 'react'
import { automaticLevel, type Engine, type EngineEvents, type QualityLevel, type SoundTrack } from './engine'

export interface PreferredTracks {
  /** Pixels; null for automatic quality. */
  height: number | null
  /** A language; null for the stream's default. */
  sound: string | null
}

/**
 * The qualities and audio tracks of the open stream, and the choice between them. `preferred`
 * returns those to start with.
 */
export function useTracks(openEngine: () => Engine | undefined, preferred: () => PreferredTracks) {
  const [levels, setLevels] = useState<QualityLevel[]>([])
  const [playingLevel, setPlayingLevel] = useState(automaticLevel)
  const [chosenLevel, setChosenLevel] = useState(automaticLevel)
  const [sounds, setSounds] = useState<SoundTrack[]>([])
  const [playingSound, setPlayingSound] = useState(0)

  const eventsOf = (engine: () => Engine | undefined): Omit<EngineEvents, 'onRefused' | 'onFailure'> => ({
    onLevels: (levels) => {
      setLevels(levels)
      const preferredLevel = levels.find(({ height }) => height === preferred().height)
      if (!preferredLevel) return
      engine()?.setLevel(preferredLevel.index)
      setChosenLevel(preferredLevel.index)
    },
    onSounds: (sounds) => {
      setSounds(sounds)
      const preferredSound = sounds.find(({ language }) => language === preferred().sound)
      if (preferredSound) engine()?.setSound(preferredSound.index)
    },
    onSound: setPlayingSound,
    onLevel: setPlayingLevel,
  })
  const reset = () => {
    setLevels([])
    setSounds([])
    setChosenLevel(automaticLevel)
  }

  const chooseLevel = (index: number) => {
    openEngine()?.setLevel(index)
    setChosenLevel(index)
  }
  const chooseSound = (index: number) => openEngine()?.setSound(index)
  const tracks = { levels, playingLevel, chosenLevel, chooseLevel, sounds, playingSound, chooseSound }
  return { tracks, eventsOf, reset }
}
