// A training with autograd, batch norm, dropout and Adam behind C functions, which a JVM calls.
#include <torch/torch.h>
#include <cstring>
using namespace torch;

struct Training {
  nn::Sequential net;
  std::unique_ptr<optim::Adam> adam;
  std::vector<Tensor> x, y, memory;
  size_t passWrites;
  Generator generator;
};

static optim::AdamParamState& state(Training& t, const Tensor& p) {
  return static_cast<optim::AdamParamState&>(*t.adam->state().at(p.unsafeGetTensorImpl()));
}

#define API extern "C" __attribute__((visibility("default")))

API void* cairn_open(int cuda, long width, long layers, long batch) {
  at::globalContext().setUserEnabledCuDNN(false);
  set_num_threads(2);
  Device device(cuda < 0 ? kCPU : kCUDA, cuda < 0 ? -1 : cuda);
  manual_seed(7);
  nn::Sequential net;
  for (long i = 0; i < layers; i++) {
    net->push_back(nn::Linear(width, width));
    net->push_back(nn::BatchNorm1d(width));
    net->push_back(nn::ReLU());
    net->push_back(nn::Dropout(0.1));
  }
  net->push_back(nn::Linear(width, 16));
  net->to(device);
  auto* t = new Training{net, std::make_unique<optim::Adam>(net->parameters()), {}, {}, {}, 0,
      cuda < 0 ? at::globalContext().defaultGenerator(kCPU) : at::globalContext().defaultGenerator(device)};
  for (int i = 0; i < 2; i++) {
    t->x.push_back(torch::randn({batch, width}, TensorOptions(device)));
    t->y.push_back(torch::randint(16, {batch}, TensorOptions(device).dtype(kLong)));
  }
  for (Tensor& p : net->parameters()) p.mutable_grad() = torch::zeros_like(p);
  t->adam->step();  // makes the moments; zero gradients change no parameter
  t->memory = net->buffers();  // a pass writes them
  t->passWrites = t->memory.size();
  for (const Tensor& p : net->parameters())
    for (const Tensor& m : {p.detach(), state(*t, p).exp_avg(), state(*t, p).exp_avg_sq()}) t->memory.push_back(m);
  return t;
}

API double cairn_pass(Training* t, int i) {
  t->adam->zero_grad();
  Tensor loss = nll_loss(log_softmax(t->net->forward(t->x[i % 2]), 1), t->y[i % 2]);
  loss.backward();
  return loss.item<double>();
}

API void cairn_step(Training* t) { t->adam->step(); }

API long cairn_memory(Training* t, long i, long* bytes, int* passWrites) {
  if (i >= (long) t->memory.size()) return 0;
  *bytes = t->memory[i].nbytes();
  *passWrites = i < (long) t->passWrites;
  return (long) t->memory[i].data_ptr();
}

API long cairn_steps(Training* t, long set) {
  long now = 0;
  for (const Tensor& p : t->net->parameters()) {
    if (set >= 0) state(*t, p).step(set);
    now = state(*t, p).step();
  }
  return now;
}

API long cairn_generator(Training* t, int set, char* bytes, long length) {
  if (set) {
    Tensor given = torch::empty({length}, kByte);
    memcpy(given.data_ptr(), bytes, length);
    t->generator.set_state(given);
  }
  Tensor now = t->generator.get_state();
  if (!set && length >= (long) now.nbytes()) memcpy(bytes, now.data_ptr(), now.nbytes());
  return now.nbytes();
}
