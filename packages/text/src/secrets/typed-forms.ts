// Each row: what it finds, a hint, the pattern, and a test of the value (secret-form.ts explains them).
import { password, type Form } from './secret-form.ts'

/** Forms of passwords typed into programs, without a name or an address before them. */
export const TYPED: readonly Form[] = [
  password(
    'a script of expect: `expect "Password:"`, then `send "…"`',
    /expect/i,
    /\bexpect\b[^\n]{0,120}?(?:assword|assphrase|pin\b|passcode)[^\n]{0,60}\n\s{0,8}send\s{1,3}(?:--\s{1,3})?["'](?<secret>(?:(?!\\[rn])[^"'\n]){1,200})/gi,
  ),
  password(
    '`docker login -p …`',
    /\blogin\b/,
    /\b(?:docker|podman|helm registry|az|oc|gcloud|cf|ibmcloud|skopeo|buildah)\s{1,3}login\b[^\n]{0,200}?\s-p\s{0,3}["']?(?<secret>[^\s"'-][^\s"']{2,200})/g,
  ),
  password(
    '`echo … | sudo -S`',
    /sudo/,
    /\becho\s{1,3}(?:-n\s{1,3})?["']?(?<secret>[^\s"'|]{3,100})["']?\s{0,3}\|\s{0,3}sudo\s{1,3}(?:-\w{1,10}\s{1,3}){0,3}-S/g,
  ),
  password(
    '`htpasswd -b FILE USER …`',
    /htpasswd/,
    /\bhtpasswd\s{1,3}-[A-Za-z]{0,5}b[A-Za-z]{0,5}\s{1,3}\S{1,200}\s{1,3}\S{1,100}\s{1,3}(?<secret>\S{1,200})/g,
  ),
  password(
    'a password of an archive or of ssh-keygen: `7z a -p…`',
    /-[pPN]/,
    /\b(?:(?:7z[ar]?|rar|unrar)\b[^\n]{0,120}?\s-(?:hp|p)|(?:unzip|zip)\b[^\n]{0,120}?\s-P\s{0,3}|ssh-keygen\b[^\n]{0,120}?\s-[NP]\s{1,3})["']?(?<secret>[^\s"']{3,200})/g,
  ),
  password(
    '`net user NAME …`, `echo NAME:… | chpasswd`',
    /net user|chpasswd/i,
    /\bnet\s{1,3}user\s{1,3}[^\s/]\S{0,60}\s{1,3}(?<secret>[^\s/"']\S{2,100})|\becho\s{1,3}(?:-n\s{1,3})?["']?[^\s:"']{1,64}:(?<other>[^\s"'|]{3,100})["']?\s{0,3}\|\s{0,3}(?:sudo\s{1,3})?chpasswd/gi,
  ),
  password(
    'password hashes of Django and Werkzeug',
    /pbkdf2|scrypt/,
    /\b(?:pbkdf2[_:]\w{3,10}(?::\d{1,9})?|scrypt(?::\d{1,9}){3}|scrypt)\$(?<secret>(?:\d{1,9}\$)?[\w./+=-]{4,64}\$[\w./+=-]{20,200})/g,
  ),
  password(
    '`redis-cli -a …`',
    /redis-cli/,
    /\bredis-cli\b[^\n]{0,120}?\s-a\s{1,3}["']?(?<secret>[^\s"']{3,200})/g,
  ),
  password(
    'a Samba client: `smbclient -U NAME%…`',
    /-U/,
    /\b(?:smbclient|rpcclient|net|winexe|smbmap|cifs)\b[^\n]{0,160}?\s-U\s{0,3}["']?[^\s%"']{1,64}%(?<secret>[^\s"']{1,200})/g,
  ),
  password(
    'a setting in XML: `<add key="DbPassword" value="…">`',
    /value=/i,
    /\b(?:key|name|id)=["'][\w.:-]{0,40}(?:password|passwd|pwd|secret|token|api[_-]?key)[\w.:-]{0,20}["'][^<>\n]{0,80}?\bvalue=["'](?<double>[^"'\n]{3,300})["']/gi,
  ),
]
