// @ts-check
// The live camera: its stream, the square part of the picture that is shown, and samples of the face in the grid.

import { sampleFace } from "./colour.js";
import { gridOf } from "./grid.js";
import { video as phrases } from "../sentences.js";

/** Width of the grid, as a part of the shown square. */
const GRID = 0.74;

/** Why the page has no camera, or null if it may ask for one. */
export function obstacle() {
  if (!window.isSecureContext) return phrases.insecurePage(location.protocol, location.host);
  return "mediaDevices" in navigator ? null : phrases.unsupported;
}

/** @param {any} error of getUserMedia @returns {string} */
function reasonOf(error) {
  const reasons = /** @type {Record<string, string>} */ ({
    NotAllowedError: phrases.cameraBlocked,
    NotFoundError: phrases.noCamera,
    OverconstrainedError: phrases.cameraGone,
    NotReadableError: phrases.cameraInUse,
  });
  return reasons[error?.name] ?? phrases.cameraFailed(error?.message || error?.name);
}

export class Camera {
  #video = document.createElement("video");
  /** @type {MediaStream | null} */
  #stream = null;
  /** Counts starts and stops, so that a stream that arrives after a stop is closed. */
  #turn = 0;

  /** @param {() => void} onEnd the device was taken away */
  constructor(onEnd) {
    this.onEnd = onEnd;
    Object.assign(this.#video, {
      muted: true,
      playsInline: true,
      autoplay: true,
      ariaLabel: phrases.pictureOfTheCamera,
    });
    this.element = document.createElement("div");
    this.element.classList.add("stage", "square");
    this.element.append(this.#video, gridOf(100, 100, { x: 50 - 50 * GRID, y: 50 - 50 * GRID, size: 100 * GRID }));
  }

  get running() {
    return this.#stream !== null;
  }

  /** @param {boolean} mirrored only the view; samples are never mirrored */
  set mirrored(mirrored) {
    this.#video.classList.toggle("mirrored", mirrored);
  }

  /** Whether the camera looks at the user: it says so, or it says nothing, as cameras of computers do. */
  get facesUser() {
    const facing = this.#stream?.getVideoTracks()[0]?.getSettings().facingMode;
    return facing !== "environment";
  }

  get device() {
    return this.#stream?.getVideoTracks()[0]?.getSettings().deviceId ?? "";
  }

  /** Starts a camera: the given one, or one that looks away from the user. Throws an `Error` with the reason. @param {string} [device] */
  async start(device) {
    this.stop();
    const turn = ++this.#turn;
    const which = device ? { deviceId: { exact: device } } : { facingMode: { ideal: "environment" } };
    const video = { ...which, width: { ideal: 1280 }, height: { ideal: 720 } };
    const stream = await navigator.mediaDevices.getUserMedia({ video, audio: false }).catch((error) => {
      throw new Error(reasonOf(error));
    });
    const end = () => stream.getTracks().forEach((track) => track.stop());
    if (turn !== this.#turn) return end();
    this.#stream = stream;
    stream.getVideoTracks()[0].addEventListener("ended", () => {
      if (this.#stream !== stream) return;
      this.stop();
      this.onEnd();
    });
    this.#video.srcObject = stream;
    await this.#video.play().catch(() => {});
  }

  stop() {
    this.#turn++;
    this.#stream?.getTracks().forEach((track) => track.stop());
    this.#stream = this.#video.srcObject = null;
  }

  /** Samples of the face in the grid, or null while there is no picture. */
  sample() {
    const { videoWidth: width, videoHeight: height, readyState } = this.#video;
    if (!this.#stream || readyState < HTMLMediaElement.HAVE_CURRENT_DATA || !width) return null;
    const size = GRID * Math.min(width, height);
    return sampleFace(this.#video, { x: (width - size) / 2, y: (height - size) / 2, size });
  }
}

/** Whether the device has a camera, allowed or not. */
export async function hasCamera() {
  const devices = await navigator.mediaDevices?.enumerateDevices().catch(() => []);
  return Boolean(devices?.some(({ kind }) => kind === "videoinput"));
}

/** The cameras, once one of them was allowed. @returns {Promise<MediaDeviceInfo[]>} */
export async function cameras() {
  const devices = await navigator.mediaDevices.enumerateDevices();
  return devices.filter(({ kind, deviceId }) => kind === "videoinput" && deviceId);
}
