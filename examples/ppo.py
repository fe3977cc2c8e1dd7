"""PPO with PyTorch on the vector environment: a learner against a bot.

    python examples/ppo.py --opponent rooster --steps 2000000 --save ppo.pt
    heckmeck arena --bots py:examples.ppo:Trained,rooster --games 1000

The third line lets the network play in the arena; it is read from HECKMECK_PPO, or from ppo.pt.
"""

import argparse
import os

import gymnasium
import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from torch import nn

from heckmeck.envs import PolicyPlayer  # registers the environments

GAMMA, LAMBDA, CLIP, ENTROPY = 1.0, 0.95, 0.2, 0.01
EPOCHS, BATCH, RATE, WIDTH = 4, 2048, 5e-4, 256


class Network(nn.Module):
    """The logits of the actions, and the expected reward."""

    def __init__(self, features: int, actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(features, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU()
        )
        self.actor, self.critic = nn.Linear(WIDTH, actions), nn.Linear(WIDTH, 1)

    def forward(
        self, seen: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Return the distribution over the legal actions, and the value."""
        body = self.body(seen)
        logits = self.actor(body).masked_fill(mask == 0, -1e9)
        return torch.distributions.Categorical(logits=logits), self.critic(body)[:, 0]


def tensors(seen: dict[str, np.ndarray]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return observations and masks for the network."""
    return torch.as_tensor(seen["observation"]), torch.as_tensor(seen["action_mask"])


def advantages(
    rewards: torch.Tensor, values: torch.Tensor, ended: torch.Tensor, last: torch.Tensor
) -> torch.Tensor:
    """Return [step, game]: generalized advantage estimates."""
    found, after, ahead = torch.zeros_like(rewards), last, torch.zeros_like(last)
    for step in reversed(range(len(rewards))):
        goes_on = 1.0 - ended[step]
        delta = rewards[step] + GAMMA * after * goes_on - values[step]
        ahead = delta + GAMMA * LAMBDA * goes_on * ahead
        found[step], after = ahead, values[step]
    return found


def improve(network: Network, optimizer: torch.optim.Optimizer, data: list[torch.Tensor]) -> None:
    """Take some steps uphill from what was played: PPO's clipped objective."""
    for _ in range(EPOCHS):
        for some in torch.randperm(len(data[0])).split(BATCH):
            seen, mask, actions, before, gains, returns = (each[some] for each in data)
            plays, values = network(seen, mask)
            ratio = (plays.log_prob(actions) - before).exp()
            gains = (gains - gains.mean()) / (gains.std() + 1e-8)
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            loss = -torch.min(ratio * gains, clipped * gains).mean()
            loss = (
                loss + 0.5 * (values - returns).square().mean() - ENTROPY * plays.entropy().mean()
            )
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(network.parameters(), 0.5)
            optimizer.step()


def train(
    opponent: str, steps: int, *, games: int = 256, horizon: int = 64, edition: str, seed: int
) -> tuple[Network, list[float]]:
    """Play and learn; return the network, and the worms per game in every round."""
    torch.manual_seed(seed)
    env = gymnasium.make_vec(
        f"heckmeck/{edition.capitalize()}-v0",
        num_envs=games,
        vectorization_mode="vector_entry_point",
        opponents=(opponent,),
        rewards="swing",  # worms, after every turn: a beginner hardly ever wins
        autoreset_mode=AutoresetMode.SAME_STEP,
    )
    features = env.single_observation_space["observation"].shape[0]
    network = Network(features, int(env.single_action_space.n))
    optimizer = torch.optim.Adam(network.parameters(), RATE, eps=1e-5)
    course: list[float] = []
    seen, mask = tensors(env.reset(seed=seed)[0])
    for done in range(0, steps, games * horizon):
        played = []
        for _ in range(horizon):
            with torch.no_grad():
                plays, value = network(seen, mask)
            action = plays.sample()
            after, reward, ended, _, _ = env.step(action.numpy())
            facts = (torch.as_tensor(each, dtype=torch.float32) for each in (reward / 10, ended))
            played.append((seen, mask, action, plays.log_prob(action), value, *facts))
            seen, mask = tensors(after)
        rolled = [torch.stack(each) for each in zip(*played, strict=True)]
        *_, values, rewards, ends = rolled
        with torch.no_grad():
            gains = advantages(rewards, values, ends, network(seen, mask)[1])
        data = [each.flatten(0, 1) for each in (*rolled[:4], gains, gains + values)]
        optimizer.param_groups[0]["lr"] = RATE * (1 - done / steps)
        improve(network, optimizer, data)
        course.append(float(10 * rewards.sum() / ends.sum().clamp(min=1)))
        print(f"{done + games * horizon:>10,} decisions: {course[-1]:.1f} worms per game")
    return network, course


class Trained(PolicyPlayer):
    """Plays what a network of this file has learned, for two players."""

    def __init__(self) -> None:
        data = torch.load(os.environ.get("HECKMECK_PPO", "ppo.pt"), weights_only=True)
        self.network = Network(*data.pop("shape"))
        self.network.load_state_dict(data)
        super().__init__(self.policy)

    @torch.no_grad()
    def policy(self, seen: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """Return the most probable actions."""
        return self.network(*map(torch.as_tensor, (seen, masks)))[0].logits.argmax(dim=1).numpy()


def main() -> None:
    """Train a network and save it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--opponent", default="rooster", help="the bot to play against")
    parser.add_argument("--steps", type=int, default=2_000_000, help="decisions to learn from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", default="ppo.pt")
    options = parser.parse_args()
    network, _ = train(options.opponent, options.steps, edition="classic", seed=options.seed)
    shape = [network.body[0].in_features, network.actor.out_features]
    torch.save({"shape": shape, **network.state_dict()}, options.save)


if __name__ == "__main__":
    main()
