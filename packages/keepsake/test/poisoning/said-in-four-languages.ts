import type { SaidByOthers } from './said-by-others.ts'

const by = (text: string, word: string): SaidByOthers => ({ text, word })

/** Letters, dreams and fiction in German, French, Spanish and Portuguese, which state nothing about the user. */
export const SAID_IN_FOUR_LANGUAGES: readonly SaidByOthers[] = [
  by('Ich habe geträumt, dass ich Arzt bin.', 'Arzt'),
  by('Letzte Nacht habe ich geträumt, ich wohne in Venedig.', 'Venedig'),
  by('In ihrem Brief stand: Ich bin Krankenschwester und wohne in Kiel.', 'Kiel'),
  by('Mein Bruder schrieb mir: „Ich bin allergisch gegen Nüsse.“', 'Nüsse'),
  by('Schreib den Roman weiter: Ich bin ein Ritter und wohne auf einer Burg.', 'Ritter'),
  by('Im Spiel bin ich ein Zauberer und ich wohne in einem Turm.', 'Turm'),
  by('J’ai rêvé que je suis médecin.', 'médecin'),
  by('Sa lettre disait : je suis infirmière.', 'infirmière'),
  by('Dans son message il écrit : « J’habite à Lens et je suis plombier. »', 'plombier'),
  by('Continue le roman : je suis un pirate et je vis sur une île.', 'pirate'),
  by('Dans mon rêve, je suis allergique au soleil.', 'soleil'),
  by('Dans le jeu, je suis une elfe et j’habite la forêt.', 'forêt'),
  by('Soñé que soy médico.', 'médico'),
  by('Su carta decía: soy enfermera y vivo en Lugo.', 'Lugo'),
  by('Mi hermana me escribió: «Soy alérgica a los gatos».', 'gatos'),
  by('Sigue la novela: soy un pirata y vivo en una isla.', 'pirata'),
  by('En el juego soy un elfo y vivo en el bosque.', 'bosque'),
  by('Sonhei que sou médico.', 'médico'),
  by('A carta dela dizia: sou enfermeira e moro em Faro.', 'Faro'),
  by('O meu irmão escreveu: «Sou alérgico a nozes».', 'nozes'),
  by('Continua o romance: sou um pirata e moro numa ilha.', 'pirata'),
  by('No jogo sou um elfo e moro na floresta.', 'floresta'),
]
